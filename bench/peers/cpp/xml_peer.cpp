// Times the bare parse of JUnit XML by C and C++ libraries: `xml_peer pugixml|expat|libxml2 ROUNDS FILE_OR_FOLDER`
// prints one JSON line. pugixml and libxml2 build their tree; Expat calls a function per element.
#include <expat.h>
#include <libxml/parser.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <pugixml.hpp>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int code, const std::string& message) {
  std::fprintf(stderr, "xml_peer: %s\n", message.c_str());
  std::exit(code);
}

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(66, "cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> load(const fs::path& path) {
  if (!fs::is_directory(path)) return {slurp(path)};
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".xml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> reports;
  for (const auto& file : paths) reports.push_back(slurp(file));
  return reports;
}

// Keeps the work from being optimised away, and shows that it was done.
using Parse = std::size_t (*)(const std::string& report);

std::size_t parse_pugixml(const std::string& report) {
  pugi::xml_document document;
  if (!document.load_buffer(report.data(), report.size())) fail(65, "pugixml cannot parse the report");
  return document.document_element().empty() ? 0 : 1;
}

std::size_t parse_expat(const std::string& report) {
  std::size_t elements = 0;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &elements);
  XML_SetStartElementHandler(
      parser, [](void* count, const XML_Char*, const XML_Char**) { ++*static_cast<std::size_t*>(count); });
  if (XML_Parse(parser, report.data(), static_cast<int>(report.size()), 1) != XML_STATUS_OK) {
    fail(65, "Expat cannot parse the report");
  }
  XML_ParserFree(parser);
  return elements > 0 ? 1 : 0;
}

std::size_t parse_libxml2(const std::string& report) {
  xmlDocPtr document = xmlReadMemory(report.data(), static_cast<int>(report.size()), nullptr, nullptr, XML_PARSE_HUGE);
  if (document == nullptr) fail(65, "libxml2 cannot parse the report");
  xmlFreeDoc(document);
  return 1;
}

struct Library {
  const char* key;
  std::string name;
  Parse parse;
};

std::vector<Library> libraries() {
  const auto version = std::to_string(PUGIXML_VERSION / 1000) + "." + std::to_string(PUGIXML_VERSION % 1000 / 10);
  return {
      {"pugixml", "pugixml " + version + " (DOM)", parse_pugixml},
      {"expat", "Expat " + std::to_string(XML_MAJOR_VERSION) + "." + std::to_string(XML_MINOR_VERSION) + " (events)",
       parse_expat},
      {"libxml2", std::string("libxml2 ") + LIBXML_DOTTED_VERSION + " (DOM)", parse_libxml2}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) fail(64, "usage: xml_peer pugixml|expat|libxml2 ROUNDS FILE_OR_FOLDER");
  for (const auto& library : libraries()) {
    if (std::strcmp(argv[1], library.key) != 0) continue;
    const auto reports = load(argv[3]);
    std::size_t bytes = 0;
    for (const auto& report : reports) bytes += report.size();
    std::string seconds;
    std::size_t parsed = 0;
    for (int round = 0; round < std::atoi(argv[2]); ++round) {
      const auto start = std::chrono::steady_clock::now();
      for (const auto& report : reports) parsed += library.parse(report);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      if (round > 0) seconds += ',';
      seconds += std::to_string(took.count());
    }
    std::printf(R"({"name":"%s","files":%zu,"bytes":%zu,"parsed":%zu,"seconds":[%s]})"
                "\n",
                library.name.c_str(), reports.size(), bytes, parsed, seconds.c_str());
    return 0;
  }
  fail(64, std::string("unknown library ") + argv[1]);
}
