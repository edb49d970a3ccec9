// A test suite with known failure rates: `rated_suite REPORT SEED EACH SOUND [NAME]...` writes a JUnit report of EACH
// tests of every rate, named `r0.05.3`, and SOUND more that never fail, or of the named ones only. Whether a test fails
// depends on the seed, the run's number (FLAKESTAT_RUN) and the test alone, so a hunt can be repeated, and a narrowed
// run is what the whole run would have been.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct Rate {
  const char* text;
  double value;
};
constexpr Rate kRates[] = {{"0", 0},     {"0.005", 0.005}, {"0.01", 0.01}, {"0.02", 0.02}, {"0.05", 0.05},
                           {"0.1", 0.1}, {"0.25", 0.25},   {"0.5", 0.5},   {"0.9", 0.9},   {"1", 1}};

// splitmix64: every input bit reaches every output bit.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

double uniform(std::uint64_t seed, std::uint64_t run, std::uint64_t test) {
  return static_cast<double>(mixed(mixed(mixed(seed) + run) + test) >> 11U) * 0x1p-53;
}

}  // namespace

int main(int argc, char** argv) {
  const char* number = std::getenv("FLAKESTAT_RUN");
  if (argc < 5 || number == nullptr) return 64;
  const auto run = std::strtoull(number, nullptr, 10);
  const auto seed = std::strtoull(argv[2], nullptr, 10);
  const auto each = std::strtoull(argv[3], nullptr, 10);
  const auto sound = std::strtoull(argv[4], nullptr, 10);
  const std::vector<std::string> wanted(argv + 5, argv + argc);
  std::string cases;
  std::uint64_t test = 0;
  bool failed = false;
  for (const Rate& rate : kRates) {
    const auto tests = each + (rate.value > 0 ? 0 : sound);
    for (std::uint64_t i = 0; i < tests; ++i, ++test) {
      const auto name = std::string("r") + rate.text + "." + std::to_string(i);
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
      const bool fails = uniform(seed, run, test) < rate.value;
      failed = failed || fails;
      cases += "<testcase classname=\"rated\" name=\"" + name + (fails ? "\"><failure/></testcase>\n" : "\"/>\n");
    }
  }
  std::ofstream(argv[1]) << "<testsuite name=\"rated\">\n" << cases << "</testsuite>\n";
  return failed ? 1 : 0;
}
