// What a reader of the summary should know beside the counts.
#include "base/clean_text.hpp"
#include "formats/junit_scan.hpp"

namespace flakestat::formats {
namespace {

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string at_line(const text::Oddity& oddity) {
  return (oddity.count == 1 ? " in line " : ", the first in line ") + std::to_string(oddity.first_line);
}

std::string claim(const ClaimMismatch& mismatch) {
  const auto totals = [](std::uint64_t tests, std::uint64_t failures) {
    return counted(tests, "test", "tests") + " with " + counted(failures, "failure", "failures");
  };
  return "suite \"" + clean_line(mismatch.name, 100) + "\" claims " +
         totals(mismatch.claimed_tests, mismatch.claimed_failures) + ", the file has " +
         totals(mismatch.found_tests, mismatch.found_failures);
}

}  // namespace

void JunitScan::write_notes() {
  auto& notes = summary_.notes;
  const auto& survey = scanner_.survey();
  const auto& input = scanner_.input();
  if (const auto& broken = survey.broken_utf8(); broken.count > 0) {
    notes.push_back(counted(broken.count, "sequence", "sequences") + " of bytes that are not UTF-8 replaced" +
                    at_line(broken));
  }
  if (input.replaced() > 0) {
    notes.push_back(counted(input.replaced(), "sequence", "sequences") + " that are not " + input.encoding().name +
                    " replaced");
  }
  if (const auto& control = survey.control_characters(); control.count > 0) {
    notes.push_back(counted(control.count, "control character", "control characters") + " dropped or shown as escapes" +
                    at_line(control));
  }
  if (input.unsupported())
    notes.push_back("declared encoding " + input.encoding().name + " is unknown; all bytes are UTF-8");
  if (!input.encoding().disbelieved.empty()) {
    notes.push_back("declared encoding " + input.encoding().disbelieved + " contradicts the bytes; read as " +
                    input.encoding().name);
  }
  if (const auto& cut = scanner_.cut_tags(); cut.count > 0) {
    notes.push_back(counted(cut.count, "tag", "tags") + " longer than 8 MiB cut" + at_line(cut));
  }
  if (const auto& broken = scanner_.broken_tags(); broken.count > 0) {
    notes.push_back(counted(broken.count, "tag", "tags") + " interrupted by \"<\" read as text" + at_line(broken));
  }
  if (first_mismatch_) {
    notes.push_back(claim(*first_mismatch_) +
                    (mismatches_ > 1 ? " (and " + counted(mismatches_ - 1, "more suite", "more suites") + ")" : ""));
  }
  if (suite_level_results_ > 0) {
    notes.push_back(counted(suite_level_results_, "failure or error", "failures or errors") +
                    " outside of any case not counted");
  }
  if (inert_results_ > 0)
    notes.push_back(counted(inert_results_, "<testcase>", "<testcase>s") + " inside the output of a case not counted");
  if (stray_cases_ > 0)
    notes.push_back(counted(stray_cases_, "<testcase>", "<testcase>s") + " outside of any report not counted");
  if (counted_as_written_ > 0) {
    notes.push_back(counted(counted_as_written_, "skip", "skips") +
                    " written as failures are counted as failures (SkipException, !mayfail)");
  }
}

}  // namespace flakestat::formats
