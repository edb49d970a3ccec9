#include "model/runner_names.hpp"

#include <algorithm>
#include <cstddef>

#include "base/strings.hpp"

namespace flakestat {
namespace {

constexpr std::string_view kTitleSeparator = " > ";

RunnerName no_name(std::string why) { return {{}, {}, std::move(why)}; }

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (;;) {
    const auto at = text.find(from);
    if (at == std::string_view::npos) return out.append(text);
    out.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
}

// `tests/test_a.py` -> `tests.test_a`
std::string module_of(std::string_view file) {
  if (file.starts_with("./")) file.remove_prefix(2);
  if (file.ends_with(".py")) file.remove_suffix(3);
  std::string out(file);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

// The classes behind the module: what of the dotted class goes beyond the file, else what begins with a capital letter.
std::string_view python_classes(std::string_view dotted, std::string_view file) {
  if (!file.empty()) {
    auto module = module_of(file);
    // Started below the root, the class may hold fewer folders than the file.
    for (std::string_view tail = module; !tail.empty();) {
      if (dotted == tail) return {};
      if (dotted.starts_with(tail) && dotted[tail.size()] == '.') return dotted.substr(tail.size() + 1);
      const auto dot = tail.find('.');
      tail = dot == std::string_view::npos ? std::string_view{} : tail.substr(dot + 1);
    }
  }
  for (std::size_t at = 0; at < dotted.size();) {
    if (is_upper(dotted[at])) return dotted.substr(at);
    const auto dot = dotted.find('.', at);
    if (dot == std::string_view::npos) break;
    at = dot + 1;
  }
  return {};
}

std::string python_file(const TestNames& test, std::string_view classes) {
  if (!test.file.empty()) return std::string(test.file);
  auto module = test.class_name.substr(0, test.class_name.size() - classes.size());
  if (module.ends_with('.')) module.remove_suffix(1);
  return replaced(module, ".", "/") + ".py";
}

bool looks_like_file(std::string_view text) {
  const auto slash = text.rfind('/');
  const auto base = slash == std::string_view::npos ? text : text.substr(slash + 1);
  return base.find('.') != std::string_view::npos && text.find(' ') == std::string_view::npos;
}

// A class that only repeats the suite: the reader's fallback for a test without one.
bool has_own_class(const TestNames& test) { return !test.class_name.empty() && test.class_name != test.suite; }

bool has_blank(std::string_view text) { return text.find_first_of(" \t\r\n\v\f") != std::string_view::npos; }

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || is_upper(c) || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool all_words(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_word); }

// A failed subtest is reported as `test_x (i=1, s='a')`. Methods that were named at run time may hold parentheses, too.
std::string_view without_subtest(std::string_view name) {
  if (!name.ends_with(')')) return name;
  for (auto open = name.find(" ("); open != std::string_view::npos; open = name.find(" (", open + 1)) {
    const auto equals = name.find('=', open);
    if (equals == std::string_view::npos) break;
    if (all_words(name.substr(open + 2, equals - open - 2))) return name.substr(0, open);
  }
  return name;
}

}  // namespace

RunnerName pytest_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  if (!has_own_class(test)) return no_name("a file that could not be collected, not a test");
  const auto classes = python_classes(test.class_name, test.file);
  std::string id = python_file(test, classes);
  if (!classes.empty()) id.append("::").append(replaced(classes, ".", "::"));
  return {{}, id.append("::").append(test.name), {}};
}

RunnerName unittest_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  // Its reporter names the suite after the class, so an equal suite says nothing here.
  const bool fixture = test.name.starts_with("setUp") || test.name.starts_with("tearDown");
  if (test.class_name.empty() || test.class_name.starts_with("unittest.") || fixture) {
    return no_name("a set-up or an import that failed, not a test");
  }
  return {{}, std::string(test.class_name) + "." + std::string(without_subtest(test.name)), {}};
}

RunnerName go_name(const TestNames& test) {
  const auto& name = test.name;
  const bool test_like = name.starts_with("Test") || name.starts_with("Example") || name.starts_with("Fuzz") ||
                         name.starts_with("Benchmark");
  if (!test_like) return no_name("its name is not that of a Go test");
  if (name == "TestMain") return no_name("a package that was not built, not a test");
  if (test.suite.empty()) return no_name("the report does not say its package");
  if (has_blank(test.suite)) return no_name("a blank in the name of its package");
  return {std::string(test.suite), std::string(name), {}};
}

RunnerName jest_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  std::string file(test.file);
  if (file.empty() && looks_like_file(test.suite)) file = test.suite;
  if (!has_own_class(test) || test.class_name == test.name) return {file, std::string(test.name), {}};
  return {file, std::string(test.class_name) + std::string(kTitleSeparator) + std::string(test.name), {}};
}

RunnerName vitest_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  const auto file = test.class_name.empty() ? test.suite : test.class_name;
  if (test.name == file) return no_name("a file that could not be loaded, not a test");
  return {std::string(file), std::string(test.name), {}};
}

RunnerName mocha_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  if (test.name.starts_with("\"before ") || test.name.starts_with("\"after ")) {
    return no_name("a hook that failed, not a test");
  }
  // mocha-junit-reporter writes the full title as the name and the test's own as the class.
  const bool full = !has_own_class(test) || test.name.ends_with(test.class_name);
  return {std::string(test.file),
          full ? std::string(test.name) : std::string(test.class_name) + " " + std::string(test.name),
          {}};
}

std::string blank_joined(std::string_view titles) { return replaced(titles, kTitleSeparator, " "); }

RunnerName playwright_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  if (test.name.find_first_of("\r\n") != std::string_view::npos) return no_name("a line end in its title");
  std::string file(test.class_name.empty() ? test.suite : test.class_name);
  if (file.find_first_of("\r\n") != std::string::npos) return no_name("a line end in the name of its file");
  return {std::move(file), std::string(test.name), {}};
}

RunnerName gtest_name(const TestNames& test) {
  const auto suite = test.class_name.empty() ? test.suite : test.class_name;
  if (suite.empty() || test.name.empty()) return no_name("the report gives it no suite or no name");
  auto name = std::string(suite) + "." + std::string(test.name);
  if (name.find_first_of(":*? \t\r\n") != std::string::npos)
    return no_name("--gtest_filter cannot name ':', '*', '?' or blanks");
  return {{}, std::move(name), {}};
}

RunnerName ctest_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  if (test.name.find_first_of("\r\n") != std::string_view::npos) return no_name("a line end in its name");
  return {{}, std::string(test.name), {}};
}

RunnerName catch2_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  if (test.name.find_first_of("\r\n") != std::string_view::npos) return no_name("a line end in its name");
  return {std::string(test.suite), std::string(test.name), {}};
}

RunnerName java_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the set-up of a class, not a test");
  const auto method = test.name.substr(0, test.name.find_first_of("(["));
  // Surefire's and Gradle's filters have wildcards and lists of lines: a class in words alone cannot reach further.
  const bool plain_class =
      std::all_of(test.class_name.begin(), test.class_name.end(), [](char c) { return is_word(c) || c == '.'; });
  if (test.class_name.empty() || !plain_class) return no_name("its class is no name of a Java class");
  if (!all_words(method)) return no_name("the filter takes methods only, and this is none by its name");
  return {std::string(test.class_name), std::string(method), {}};
}

RunnerName rust_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  if (test.suite.empty() || test.suite == "test") return no_name("the report does not say its binary");
  if (has_blank(test.suite)) return no_name("a blank in the name of its binary");
  return {std::string(test.suite), std::string(test.name), {}};
}

RunnerName rspec_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no description");
  return {std::string(test.file), std::string(test.name), {}};
}

RunnerName minitest_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  const auto klass = test.class_name.empty() ? test.suite : test.class_name;
  if (klass.empty() || klass == "Minitest::Result") return no_name("the report lost its class");
  return {{}, std::string(klass) + "#" + std::string(test.name), {}};
}

RunnerName phpunit_name(const TestNames& test) {
  if (test.name.empty()) return no_name("the report gives it no name");
  // `classname` has dots for the backslashes of the suite's name.
  std::string klass(test.class_name);
  const auto suite = test.suite.substr(0, test.suite.find("::"));
  if (replaced(suite, "\\", ".") == klass) klass = suite;
  else klass = replaced(klass, ".", "\\");
  if (klass.empty()) return no_name("the report does not say its class");
  return {{}, klass + "::" + std::string(test.name), {}};
}

std::vector<std::string> framework_ids(const TestNames& test) {
  std::vector<std::string> ids;
  const auto add = [&ids](std::string id) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
  };
  const auto name = std::string(test.name);
  if (name.empty()) return ids;
  const bool python = test.file.ends_with(".py") || test.suite == "pytest";
  if (python) {
    if (auto found = pytest_name(test); found.problem.empty()) add(std::move(found.name));
  }
  const auto prefix = std::string(test.class_name.empty() ? test.suite : test.class_name);
  if (!prefix.empty()) {
    for (const auto* joint : {".", "#", "::", " ", " > ", " \u203a ", "/"}) add(prefix + joint + name);
  }
  // With a class of its own, file and name would be those of another test: pytest's `a.py::x` is no method.
  const bool classless = !has_own_class(test) || test.class_name == test.name || test.class_name == test.file;
  if (!python && !test.file.empty() && classless) add(std::string(test.file) + "::" + name);
  if (auto found = phpunit_name(test); found.problem.empty()) add(std::move(found.name));
  // A runner without classes repeats the name there (CTest): then the name is the id.
  if (test.class_name == test.name) add(name);
  return ids;
}

}  // namespace flakestat
