// Our reader against pugixml, expat and libxml2: one process, interleaved rounds, medians of CPU time, ratios.
//
//   reader_bench [--rounds N] [--only WORD] FILE|FOLDER...     --only: readers whose name holds WORD, for profiling
//
// pugixml, expat and libxml2 get the bytes in memory and do nothing with what they find. Ours reads the files with
// read(2) from the page cache, as `inspect --counts` does ("counts"), or builds every case as `ingest` does ("cases").
#include <expat.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "formats/junit_reader.hpp"

namespace {

struct Input {
  std::string path;
  std::string bytes;
};

class FdSource final : public flakestat::formats::ByteSource {
 public:
  explicit FdSource(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~FdSource() override { ::close(fd_); }
  FdSource(const FdSource&) = delete;
  FdSource& operator=(const FdSource&) = delete;
  [[nodiscard]] flakestat::Result<std::size_t> read(char* buffer, std::size_t size) override {
    const auto got = ::read(fd_, buffer, size);
    return got < 0 ? std::size_t{0} : static_cast<std::size_t>(got);
  }

 private:
  int fd_;
};

std::size_t sink = 0;

void ours_counts(const Input& input) {
  FdSource source(input.path);
  if (const auto summary = flakestat::formats::read_junit(source, nullptr)) sink += summary->counts.tests;
}

void ours_cases(const Input& input) {
  FdSource source(input.path);
  const auto keep = [](flakestat::Case&& one) {
    const flakestat::Case kept = std::move(one);
    sink += kept.name.size();
  };
  if (const auto summary = flakestat::formats::read_junit(source, keep)) sink += summary->counts.tests;
}

void pugixml_dom(const Input& input) {
  pugi::xml_document document;
  sink += static_cast<std::size_t>(document.load_buffer(input.bytes.data(), input.bytes.size()).offset);
}

void expat_sax(const Input& input) {
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetElementHandler(
      parser, [](void*, const XML_Char*, const XML_Char**) {}, [](void*, const XML_Char*) {});
  XML_SetCharacterDataHandler(parser, [](void*, const XML_Char*, int) {});
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  for (std::size_t at = 0; at < input.bytes.size(); at += kPiece) {
    const std::size_t size = std::min(kPiece, input.bytes.size() - at);
    if (XML_Parse(parser, input.bytes.data() + at, static_cast<int>(size), at + size == input.bytes.size()) !=
        XML_STATUS_OK)
      break;
  }
  sink += static_cast<std::size_t>(XML_GetCurrentByteIndex(parser));
  XML_ParserFree(parser);
}

void libxml2_sax(const Input& input) {
  xmlSAXHandler handler{};
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = [](void*, const xmlChar*, const xmlChar*, const xmlChar*, int, const xmlChar**, int, int,
                              const xmlChar**) {};
  handler.endElementNs = [](void*, const xmlChar*, const xmlChar*, const xmlChar*) {};
  handler.characters = [](void*, const xmlChar*, int) {};
  xmlParserCtxtPtr context = xmlCreatePushParserCtxt(&handler, nullptr, nullptr, 0, nullptr);
  xmlCtxtUseOptions(context, XML_PARSE_NONET);
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  for (std::size_t at = 0; at < input.bytes.size(); at += kPiece) {
    const std::size_t size = std::min(kPiece, input.bytes.size() - at);
    if (xmlParseChunk(context, input.bytes.data() + at, static_cast<int>(size), at + size == input.bytes.size()) != 0)
      break;
  }
  sink += static_cast<std::size_t>(context->nbChars);
  xmlFreeParserCtxt(context);
}

struct Contender {
  const char* name;
  std::function<void(const Input&)> run;
  std::vector<double> seconds;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

void load(const std::string& name, std::vector<Input>& inputs) {
  const auto read = [&inputs](const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    inputs.push_back({path.string(), {std::istreambuf_iterator<char>(file), {}}});
  };
  if (!std::filesystem::is_directory(name)) return read(name);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(name)) {
    if (entry.path().extension() == ".xml") read(entry.path());
  }
}

/// CPU time of this thread: what other programs do on the machine disturbs it least.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void round_of(std::vector<Contender>& contenders, const std::vector<Input>& inputs) {
  for (auto& contender : contenders) {
    const double start = cpu_seconds();
    for (const auto& input : inputs) contender.run(input);
    contender.seconds.push_back(cpu_seconds() - start);
  }
}

void print(const std::vector<Contender>& contenders, double megabytes) {
  const double base = median(contenders.front().seconds);
  std::printf("%-24s %10s %10s %12s %18s\n", "reader", "CPU ms", "MB/s", "x pugixml", "(fastest..slowest)");
  for (const auto& contender : contenders) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < contender.seconds.size(); ++i)
      ratios.push_back(contenders.front().seconds[i] / contender.seconds[i]);
    const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
    const double time = median(contender.seconds);
    std::printf("%-24s %10.2f %10.0f %12.2f %9.2f .. %.2f\n", contender.name, time * 1e3, megabytes / time, base / time,
                *high, *low);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Input> inputs;
  int rounds = 9;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--rounds" && i + 1 < argc) rounds = std::max(1, std::atoi(argv[++i]));
    else if (std::string(argv[i]) == "--only" && i + 1 < argc) only = argv[++i];
    else load(argv[i], inputs);
  }
  if (inputs.empty()) {
    std::fprintf(stderr, "usage: reader_bench [--rounds N] FILE|FOLDER...\n");
    return 64;
  }
  double megabytes = 0;
  for (const auto& input : inputs) megabytes += static_cast<double>(input.bytes.size()) / 1e6;
  std::printf("%zu file(s), %.1f MB, %d rounds\n", inputs.size(), megabytes, rounds);
  const long before = peak_kib();
  for (const auto& input : inputs) ours_cases(input);
  std::printf("peak memory of ours beyond the loaded bytes: %.1f MiB\n",
              static_cast<double>(peak_kib() - before) / 1024);
  std::vector<Contender> contenders{{"pugixml DOM", pugixml_dom, {}},    {"flakestat counts", ours_counts, {}},
                                    {"flakestat cases", ours_cases, {}}, {"expat SAX", expat_sax, {}},
                                    {"libxml2 SAX2", libxml2_sax, {}},   {"pugixml DOM (A/A)", pugixml_dom, {}}};
  std::erase_if(contenders,
                [&only](const Contender& one) { return std::string(one.name).find(only) == std::string::npos; });
  for (int i = 0; i < rounds; ++i) round_of(contenders, inputs);
  print(contenders, megabytes);
  return sink == 0 ? 1 : 0;
}
