// Skip lists in the runners' own formats: one form a runner. Pure: tests in, texts out; `app` writes the files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/test_score.hpp"

namespace flakestat::report {

/// The most bytes that Linux hands over in one argument.
inline constexpr std::size_t kLongestArgument = 131'071;

struct FormInput {
  std::vector<const TestScore*> listed;  ///< what is to be skipped, worst first
  std::span<const TestScore> known;      ///< every test of the history, the listed ones among them
  std::string list_path;                 ///< where the list will lie; empty: it is printed, and no file lies beside it
};

/// A test that this form cannot name: it is not in the list.
struct LeftOut {
  const TestScore* test = nullptr;
  std::string why;
};

/// A known test that the list would skip although nobody asked for that.
struct AlsoSkipped {
  const TestScore* test = nullptr;
  const TestScore* because = nullptr;  ///< the listed test whose entry reaches it
};

/// A file of ours that must lie beside the list.
struct Companion {
  std::string name;
  std::string content;
};

struct FormOutput {
  std::string document;  ///< the list
  std::vector<Companion> companions;
  std::vector<LeftOut> left_out;
  std::vector<AlsoSkipped> also_skipped;  ///< empty: exact, as far as the history knows the tests
  std::vector<std::string> notes;
  std::string usage;                 ///< how the runner is given the list; one line, foreign names unescaped
  std::size_t entries = 0;           ///< tests that the list names
  std::string refused;               ///< why the runner cannot work with the list; empty: it can
  std::size_t longest_argument = 0;  ///< bytes of the longest piece that must travel as one argument; 0: none does
};

struct QuarantineForm {
  std::string_view name;  ///< of `--format`
  FormOutput (*render)(const FormInput&);
};

/// All forms but flakestat's own list, which `rules` writes; in the order of docs/quarantine.md.
[[nodiscard]] std::span<const QuarantineForm> quarantine_forms();

/// Null when there is none of this name.
[[nodiscard]] const QuarantineForm* find_quarantine_form(std::string_view name);

// One function a form; `quarantine_forms` lists them.
[[nodiscard]] FormOutput pytest_form(const FormInput& input);
[[nodiscard]] FormOutput unittest_form(const FormInput& input);
[[nodiscard]] FormOutput go_form(const FormInput& input);
[[nodiscard]] FormOutput go_skip_form(const FormInput& input);
[[nodiscard]] FormOutput jest_form(const FormInput& input);
[[nodiscard]] FormOutput jest_files_form(const FormInput& input);
[[nodiscard]] FormOutput vitest_form(const FormInput& input);
[[nodiscard]] FormOutput mocha_form(const FormInput& input);
[[nodiscard]] FormOutput playwright_form(const FormInput& input);
[[nodiscard]] FormOutput gtest_form(const FormInput& input);
[[nodiscard]] FormOutput ctest_form(const FormInput& input);
[[nodiscard]] FormOutput catch2_form(const FormInput& input);
[[nodiscard]] FormOutput maven_form(const FormInput& input);
[[nodiscard]] FormOutput gradle_form(const FormInput& input);
[[nodiscard]] FormOutput nextest_form(const FormInput& input);
[[nodiscard]] FormOutput cargo_form(const FormInput& input);
[[nodiscard]] FormOutput rspec_form(const FormInput& input);
[[nodiscard]] FormOutput minitest_form(const FormInput& input);
[[nodiscard]] FormOutput phpunit_form(const FormInput& input);
[[nodiscard]] FormOutput yaml_form(const FormInput& input);
[[nodiscard]] FormOutput json_form(const FormInput& input);

}  // namespace flakestat::report
