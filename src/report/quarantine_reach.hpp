// What the forms share: the listed tests by their runner's names, and the known tests that an entry reaches besides.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/runner_names.hpp"
#include "report/quarantine_form.hpp"

namespace flakestat::report {

using Namer = RunnerName (*)(const TestNames&);

/// A listed test under its runner's name.
struct NamedTest {
  const TestScore* test = nullptr;
  RunnerName name;
};

[[nodiscard]] inline TestNames names_of(const TestScore& test) {
  return {test.suite, test.class_name, test.name, test.file};
}

/// The listed tests that the runner can name, in their order, each scope and name once; the others go to
/// `out.left_out`. Sets `out.entries`.
[[nodiscard]] std::vector<NamedTest> name_listed(const FormInput& input, Namer namer, FormOutput& out);

/// What an entry matches by: tests of equal keys go together. Empty: the test is out of reach.
using Key = std::function<std::string(const RunnerName&)>;

/// Fills `out.also_skipped` with the known, unlisted tests that share a key with a listed one. One pass over the
/// history.
void find_equal_keys(const FormInput& input, Namer namer, const std::vector<NamedTest>& listed, const Key& key,
                     FormOutput& out);

/// The reach of a hook that skips by file and name: find_equal_keys by the file (the scope) and `key`. A listed test
/// whose file no report tells is skipped in every file.
void find_keys_in_files(const FormInput& input, Namer namer, const std::vector<NamedTest>& listed, const Key& key,
                        FormOutput& out);

/// The same for entries that reach every key that begins with theirs followed by `separator` (empty: any beginning),
/// beside equal keys. O(n log n).
void find_key_prefixes(const FormInput& input, Namer namer, const std::vector<NamedTest>& listed, const Key& key,
                       std::string_view separator, FormOutput& out);

/// `(?:a|b)`-like: the quoted names joined by `|`.
[[nodiscard]] std::string alternatives(const std::vector<NamedTest>& listed, const Key& key,
                                       std::string (*quote)(std::string_view));

/// `list_path`, or the word `LIST` when the list is printed; quoted for a shell when it needs that.
[[nodiscard]] std::string shown_path(const FormInput& input);
/// The folder of the list, for a companion's path.
[[nodiscard]] std::string beside(const FormInput& input, std::string_view companion);
[[nodiscard]] Companion hook(std::string_view file_name);

/// What a hook reads: one JSON array `["file","name"]` a line, since names may hold anything.
[[nodiscard]] std::string hook_lines(const std::vector<NamedTest>& listed);

}  // namespace flakestat::report
