#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <cstdlib>

// A passing test without an assertion is not in Catch2's report.
TEST_CASE("flaky") {
  const char* run = std::getenv("FLAKESTAT_RUN");
  CHECK((run == nullptr ? 0 : std::atoi(run)) % 2 == 0);
}
TEST_CASE("flaky steady longer") { CHECK(true); }
TEST_CASE("listed a/b") { CHECK(true); }
TEST_CASE("listed [a/b]") { CHECK(true); }
TEST_CASE("listed, comma") { CHECK(true); }
TEST_CASE("listed \"q\" $HOME * (x) p|q") { CHECK(true); }
TEST_CASE("listed \\ ~") { CHECK(true); }
TEST_CASE("*steady star*") { CHECK(true); }
TEST_CASE("steady, comma") { CHECK(true); }
TEST_CASE("steady listed") { CHECK(true); }
