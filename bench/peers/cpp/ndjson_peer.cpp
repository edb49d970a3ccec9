// Times simdjson's parse_many over an mmap of a log, every document visited: `ndjson_peer ROUNDS FILE` prints one JSON
// line.
#include <fcntl.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

[[noreturn]] void fail(int code, const char* message) {
  std::fprintf(stderr, "ndjson_peer: %s\n", message);
  std::exit(code);
}

struct Mapping {
  char* data;
  std::size_t size;
};

// Mapped over anonymous pages, so that simdjson's padding behind the end can be read.
Mapping map(const char* path) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (file < 0 || ::fstat(file, &info) != 0) fail(66, "cannot read the log");
  const auto size = static_cast<std::size_t>(info.st_size);
  void* room = ::mmap(nullptr, size + 2 * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) fail(74, "no memory to map the log");
  if (::mmap(room, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED) fail(74, "cannot map the log");
  ::close(file);
  return {static_cast<char*>(room), size};
}

std::size_t parse(const Mapping& log) {
  simdjson::dom::parser parser;
  simdjson::dom::document_stream stream;
  if (parser.parse_many(log.data, log.size, simdjson::dom::DEFAULT_BATCH_SIZE).get(stream) != simdjson::SUCCESS)
    fail(65, "simdjson cannot read the log");
  std::size_t documents = 0;
  for (auto document : stream) {
    simdjson::dom::element element;
    if (document.get(element) != simdjson::SUCCESS) fail(65, "simdjson cannot read a line");
    ++documents;
  }
  return documents;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) fail(64, "usage: ndjson_peer ROUNDS FILE");
  std::string seconds;
  std::size_t documents = 0;
  std::size_t bytes = 0;
  for (int round = 0; round < std::atoi(argv[1]); ++round) {
    const auto start = std::chrono::steady_clock::now();
    const auto log = map(argv[2]);
    documents = parse(log);
    bytes = log.size;
    ::munmap(log.data, log.size + 2 * 4096);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (round > 0) seconds += ',';
    seconds += std::to_string(took.count());
  }
  std::printf(R"({"name":"simdjson %s parse_many","bytes":%zu,"documents":%zu,"seconds":[%s]})"
              "\n",
              SIMDJSON_VERSION, bytes, documents, seconds.c_str());
}
