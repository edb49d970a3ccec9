// The log against simdjson's own parse of the same bytes.
//   log_bench --generate N PATH     writes a log of N observations (deterministic) as PATH
//   log_bench [N [ROUNDS]]          medians, ratios and the A/A row (default 1000000, 5)
#include <fcntl.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.hpp"
#include "model/observation.hpp"
#include "store/append_log.hpp"
#include "store/log_reader.hpp"
#include "store/observation_codec.hpp"
#include "sys/fd.hpp"

namespace {

using flakestat::Observation;
namespace store = flakestat::store;

constexpr std::uint64_t kTests = 5000;

// A small generator of our own: the same numbers on every machine.
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    state += 0x9e3779b97f4a7c15;
    auto z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
};

// Test `i`: a pytest-like name of 60 to 90 characters, its class and suite included.
void name_test(Observation& o, std::uint64_t i) {
  static constexpr const char* kAreas[] = {"accounts", "billing", "catalogue", "checkout", "notifications", "search"};
  static constexpr const char* kWhat[] = {"rejects_expired_token", "retries_after_timeout", "keeps_order_of_items",
                                          "rounds_half_to_even",   "streams_large_payload", "survives_restart"};
  const std::string area = kAreas[i % 6];
  o.suite = "pytest";
  o.class_name = "tests." + area + ".test_module_" + std::to_string(i / 40 % 125) + ".TestBehaviour";
  o.name = std::string("test_") + kWhat[i / 6 % 6] + "_" + std::to_string(i) + (i % 3 == 0 ? "[postgres-utf8]" : "");
  o.file = "tests/" + area + "/test_module_" + std::to_string(i / 40 % 125) + ".py";
  o.test_id = flakestat::test_id(o.suite, o.class_name, o.name);
}

void set_job(Observation& o, std::uint64_t job) {
  o.run_id = "gh-" + std::to_string(10'000'000'000 + job * 977);
  o.commit = flakestat::hex_prefix(flakestat::sha256("commit" + std::to_string(job / 2)), 20);
  o.branch = job % 4 == 3 ? "feature/topic-" + std::to_string(job % 17) : "main";
  o.dimensions = {{"arch", "amd64"},
                  {"ci.provider", "github"},
                  {"ci.run_id", std::to_string(10'000'000'000 + job * 977)},
                  {"ci.run_number", std::to_string(1000 + job)},
                  {"os", "linux"}};
  o.artifact = flakestat::hex_prefix(flakestat::sha256("artifact" + std::to_string(job)), 16);
}

void generate(std::uint64_t count, const std::function<void(const Observation&)>& emit) {
  std::vector<Observation> tests(std::min(count, kTests));
  for (std::uint64_t i = 0; i < tests.size(); ++i) name_test(tests[i], i);
  Random random{7};
  for (std::uint64_t i = 0; i < count; ++i) {
    auto& o = tests[i % kTests];
    const auto job = i / kTests;
    set_job(o, job);
    const auto draw = random.next();
    const bool fails = i % kTests < 50 ? draw % 10 == 0 : draw % 5000 == 0;
    o.ts = 1'780'000'000'000 + static_cast<std::int64_t>(job * 3'600'000 + i % kTests * 37);
    o.status = fails ? flakestat::Status::fail : i % 97 == 5 ? flakestat::Status::skip : flakestat::Status::pass;
    o.duration_ms = static_cast<std::int64_t>(draw >> 32) % 900;
    o.message = fails ? "AssertionError: expected \"200\", got \"503\" after 5s" : "";
    o.exec_key = flakestat::to_hex(draw);
    emit(o);
  }
}

int generate_file(std::uint64_t count, const char* path) {
  std::FILE* file = std::fopen(path, "wbe");
  if (file == nullptr) return 74;
  store::ObservationEncoder encoder;
  std::string line;
  generate(count, [&](const Observation& o) {
    line.clear();
    encoder.append(line, o);
    std::fwrite(line.data(), 1, line.size(), file);
  });
  return std::fclose(file) == 0 ? 0 : 74;
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// CPU time of this thread: what encoding costs whatever else the machine does.
double cpu_seconds_of(const std::function<void()>& work) {
  timespec before{}, after{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
  work();
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
  return static_cast<double>(after.tv_sec - before.tv_sec) + static_cast<double>(after.tv_nsec - before.tv_nsec) / 1e9;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::uint64_t parse_many(const std::string& path) {
  const flakestat::sys::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  ::fstat(fd.get(), &info);
  const auto size = static_cast<std::size_t>(info.st_size);
  // An anonymous page behind the file's last one, for simdjson's padding.
  const auto mapped = (size + 4095) / 4096 * 4096 + 4096;
  void* memory = ::mmap(nullptr, mapped, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  if (::mmap(memory, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd.get(), 0) != memory) std::abort();
  simdjson::dom::parser parser;
  simdjson::dom::document_stream stream;
  std::uint64_t count = 0;
  if (parser.parse_many(static_cast<const char*>(memory), size, simdjson::dom::DEFAULT_BATCH_SIZE).get(stream) !=
      simdjson::SUCCESS)
    std::abort();
  for (auto document : stream) count += document.error() == simdjson::SUCCESS ? 1U : 0U;
  ::munmap(memory, mapped);
  return count;
}

std::uint64_t read_log(const std::string& dir) {
  std::uint64_t failures = 0;
  auto stats = store::read_log(
      dir, [&](const flakestat::ObservationView& view) { failures += flakestat::is_failure(view.status) ? 1U : 0U; });
  return stats ? stats->lines : 0;
}

struct Row {
  const char* name;
  std::function<void()> work;
  std::vector<double> times;
};

void run(std::vector<Row>& rows, int rounds) {
  for (auto& row : rows) row.work();  // warm
  for (int i = 0; i < rounds; ++i) {
    for (auto& row : rows) row.times.push_back(seconds_of(row.work));
  }
  const auto base = median(rows[0].times);
  for (const auto& row : rows) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < row.times.size(); ++i) ratios.push_back(row.times[i] / rows[0].times[i]);
    std::printf("%-34s %8.3f s  %5.2f x  (paired median %.2f x)\n", row.name, median(row.times),
                median(row.times) / base, median(ratios));
  }
}

// Encoded in pieces that stay in the cache, as an ingestion does it file by file.
void bench_appends(const std::string& dir, std::uint64_t count) {
  std::vector<Observation> piece;
  generate(2000, [&](const Observation& o) { piece.push_back(o); });
  const auto rekey = [&](std::uint64_t round) {
    for (std::uint64_t i = 0; i < piece.size(); ++i)
      piece[i].exec_key = flakestat::hex_prefix(flakestat::sha256(std::to_string(round << 32 | i)), 8);
  };
  for (std::uint64_t round = 1; round <= 3; ++round) {
    store::EncodedBatch encoded;
    double encode = 0;
    for (std::uint64_t i = 0; i < count; i += piece.size()) {
      rekey(round << 16 | i / piece.size());
      encode += cpu_seconds_of([&] {
        for (const auto& o : piece) encoded.add(o);
      });
    }
    const auto fresh = dir + "/fresh" + std::to_string(round);
    const auto append = [&](const std::string& where) {
      return seconds_of([&] {
        if (!store::append(where, encoded)) std::abort();
      });
    };
    const auto first = append(fresh), again = append(fresh);
    rekey(round << 16 | 0xffff);
    encoded = {};
    for (const auto& o : piece) encoded.add(o);
    std::printf(
        "%llu lines: encode %.3f s CPU, append and flush %.3f s, all of them again %.3f s; 2000 lines to the big log "
        "%.3f s\n",
        static_cast<unsigned long long>(count), encode, first, again, append(dir));
  }
}

int bench(std::uint64_t count, int rounds) {
  char temporary[] = "/tmp/log_bench.XXXXXX";
  const std::string dir = ::mkdtemp(temporary);
  if (generate_file(count, store::log_path(dir).c_str()) != 0) return 74;
  const auto size = std::filesystem::file_size(store::log_path(dir));
  std::printf("%llu observations, %.1f MB\n", static_cast<unsigned long long>(count), static_cast<double>(size) / 1e6);
  if (read_log(dir) != count || parse_many(store::log_path(dir)) != count) {
    std::fprintf(stderr, "log_bench: the two readers do not see %llu records\n",
                 static_cast<unsigned long long>(count));
    return 70;
  }
  std::vector<Row> rows{{"simdjson dom::parse_many (A)", [&] { parse_many(store::log_path(dir)); }, {}},
                        {"simdjson dom::parse_many (A')", [&] { parse_many(store::log_path(dir)); }, {}},
                        {"store::read_log", [&] { read_log(dir); }, {}}};
  run(rows, rounds);

  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("peak memory so far (the mapped log included) %.0f MB\n", static_cast<double>(usage.ru_maxrss) / 1024);
  bench_appends(dir, std::min<std::uint64_t>(count, 400'000));
  std::filesystem::remove_all(dir);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  const auto number = [&](std::size_t i, long otherwise) {
    return arguments.size() > i ? std::atol(argv[i + 1]) : otherwise;
  };
  if (!arguments.empty() && arguments[0] == "--generate") {
    if (arguments.size() != 3) return 64;
    return generate_file(static_cast<std::uint64_t>(number(1, 0)), argv[3]);
  }
  return bench(static_cast<std::uint64_t>(number(0, 1'000'000)), static_cast<int>(number(1, 5)));
}
