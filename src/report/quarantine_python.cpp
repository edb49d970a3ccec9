// pytest and unittest: a list of ids, and a hook that marks exactly these tests as skipped.
#include "report/quarantine_reach.hpp"

namespace flakestat::report {
namespace {

constexpr std::string_view kPytestHook = "flakestat_quarantine_pytest.py";
constexpr std::string_view kUnittestHook = "flakestat_quarantine_unittest.py";

std::string name_only(const RunnerName& name) { return name.name; }

std::string one_a_line(const std::vector<NamedTest>& listed) {
  std::string out;
  for (const auto& one : listed) out += one.name.name + "\n";
  return out;
}

// A name with a line end cannot stand in a list of lines.
RunnerName one_line(RunnerName name) {
  if (name.problem.empty() && name.name.find_first_of("\r\n") != std::string::npos)
    name.problem = "a line end in its name";
  return name;
}

RunnerName pytest_line(const TestNames& test) { return one_line(pytest_name(test)); }
RunnerName unittest_line(const TestNames& test) { return one_line(unittest_name(test)); }

std::string folder_of(const FormInput& input) {
  const auto slash = input.list_path.rfind('/');
  FormInput folder;
  folder.list_path = slash == std::string::npos ? "." : input.list_path.substr(0, slash);
  return shown_path(folder);
}

}  // namespace

FormOutput pytest_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, pytest_line, out);
  out.document = one_a_line(listed);
  if (!input.list_path.empty()) {
    find_equal_keys(input, pytest_line, listed, name_only, out);
    out.companions.push_back(hook(kPytestHook));
    out.usage = "FLAKESTAT_QUARANTINE_LIST=" + shown_path(input) + " PYTHONPATH=" + folder_of(input) +
                "${PYTHONPATH:+:$PYTHONPATH} python -m pytest -p flakestat_quarantine_pytest";
    return out;
  }
  // Printed, the ids can only go to --deselect, which takes every id that begins with them.
  find_key_prefixes(input, pytest_line, listed, name_only, {}, out);
  out.usage =
      "pytest --deselect ID, once for each line; with --output FILE a plugin beside the list skips exactly these tests";
  return out;
}

FormOutput unittest_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, unittest_line, out);
  find_equal_keys(input, unittest_line, listed, name_only, out);
  out.document = one_a_line(listed);
  if (input.list_path.empty()) {
    out.usage = "unittest has no flag that skips: --output FILE writes a launcher beside the list";
    return out;
  }
  out.companions.push_back(hook(kUnittestHook));
  out.usage = "FLAKESTAT_QUARANTINE_LIST=" + shown_path(input) + " python " + beside(input, kUnittestHook) +
              " -m unittest discover";
  return out;
}

}  // namespace flakestat::report
