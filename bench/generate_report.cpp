// Writes JUnit reports of a given size, the same bytes every time: what a large Java and Python code base leaves behind
// in CI. Many suites with properties, mostly passing cases, some 3 % failures with messages of several lines and stack
// traces, some skips and flaky passes, output in CDATA and escaped, entities in names.
//
//   generate_report BYTES OUT.xml          one file of about BYTES
//   generate_report BYTES FOLDER COUNT     COUNT files in FOLDER, together about BYTES
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t limit) {
    state_ += 0x9E3779B97F4A7C15U;  // splitmix64
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return static_cast<std::uint32_t>((z ^ z >> 31) % limit);
  }

 private:
  std::uint64_t state_;
};

constexpr const char* kNouns[] = {"order",   "invoice", "session", "token",  "cache",  "queue",  "index",
                                  "payment", "user",    "report",  "cart",   "filter", "worker", "lease",
                                  "batch",   "email",   "upload",  "search", "tenant", "audit"};
constexpr const char* kVerbs[] = {"creates",   "rejects", "retries", "expires", "renders",
                                  "validates", "merges",  "orders",  "locks",   "streams"};
constexpr const char* kRules[] = {"when the clock moves back",
                                  "without a network",
                                  "for an empty list",
                                  "with two writers",
                                  "after a restart",
                                  "in &quot;strict&quot; mode",
                                  "when a &lt; b &amp;&amp; c",
                                  "with ünïcode names",
                                  "for large input",
                                  "once"};

class Report {
 public:
  explicit Report(std::uint64_t seed) : random_(seed) {
    out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"nightly\" time=\"4711.5\">\n";
  }

  void suite() {
    const std::string noun = kNouns[random_.below(20)];
    const std::string package = "com.example." + noun + ".internal";
    const std::string name = package + "." + capital(noun) + "Service" + std::to_string(random_.below(5000)) + "Test";
    const std::uint32_t cases = 10 + random_.below(60);
    out_ += "  <testsuite name=\"" + name + "\" tests=\"" + std::to_string(cases) +
            "\" timestamp=\"2026-08-17T10:" + two(random_.below(60)) + ":" + two(random_.below(60)) +
            ".125Z\" hostname=\"build-7\" time=\"" + seconds() + "\">\n";
    out_ +=
        "    <properties>\n      <property name=\"java.version\" value=\"17.0.11\"/>\n      <property name=\"os.name\" "
        "value=\"Linux\"/>\n"
        "      <property name=\"os.arch\" value=\"amd64\"/>\n      <property name=\"java.class.path\" value=\"";
    for (int i = 0; i < 12; ++i)
      out_ += "/opt/build/libs/" + std::string(kNouns[i]) + "-core-2." + std::to_string(i) + ".0.jar:";
    out_ += "\"/>\n    </properties>\n";
    for (std::uint32_t i = 0; i < cases; ++i) one_case(name);
    if (random_.below(4) == 0) output();
    out_ += "  </testsuite>\n";
  }

  std::string& finish() {
    out_ += "</testsuites>\n";
    return out_;
  }
  [[nodiscard]] std::size_t size() const { return out_.size(); }

 private:
  static std::string capital(std::string word) {
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
    return word;
  }
  static std::string two(std::uint32_t value) {
    std::string out = value < 10 ? "0" : "";
    out += std::to_string(value);
    return out;
  }
  std::string seconds() { return std::to_string(random_.below(20)) + "." + std::to_string(100 + random_.below(900)); }

  void one_case(const std::string& class_name) {
    out_ += "    <testcase name=\"" + std::string(kVerbs[random_.below(10)]) + " the " + kNouns[random_.below(20)] +
            " " + kRules[random_.below(10)] + "[" + std::to_string(random_.below(400)) + "]\" classname=\"" +
            class_name + "\" time=\"0." + std::to_string(100 + random_.below(900)) + "\"";
    const auto kind = random_.below(100);
    if (kind < 3) failure();
    else if (kind < 5) out_ += ">\n      <skipped message=\"needs a display\"/>\n    </testcase>\n";
    else if (kind < 6) flaky();
    else if (kind < 9)
      out_ +=
          ">\n      <system-out><![CDATA[" + log_lines(3 + random_.below(12)) + "]]></system-out>\n    </testcase>\n";
    else out_ += "/>\n";
  }

  void trace() {
    for (std::uint32_t i = 0, depth = 15 + random_.below(30); i < depth; ++i) {
      out_ += "\tat com.example." + std::string(kNouns[random_.below(20)]) +
              ".internal.Engine$Worker.&lt;run&gt;(Engine.java:" + std::to_string(random_.below(900)) + ")\n";
    }
  }

  void failure() {
    out_ += ">\n      <failure message=\"expected: &lt;" + std::to_string(random_.below(1000)) +
            "&gt; but was: &lt;null&gt;&#10;at step " + std::to_string(random_.below(9)) +
            " of the &quot;checkout&quot; flow\" type=\"org.opentest4j.AssertionFailedError\">"
            "org.opentest4j.AssertionFailedError: expected: &lt;7&gt; but was: &lt;null&gt;\n";
    trace();
    out_ += "</failure>\n    </testcase>\n";
  }

  void flaky() {
    out_ +=
        ">\n      <flakyFailure message=\"timeout after 5s\" type=\"java.util.concurrent.TimeoutException\">\n        "
        "<stackTrace><![CDATA[";
    out_ += log_lines(10) + "]]></stackTrace>\n      </flakyFailure>\n    </testcase>\n";
  }

  std::string log_lines(std::uint32_t count) {
    std::string lines;
    for (std::uint32_t i = 0; i < count; ++i) {
      lines += "2026-08-17 10:00:" + two(random_.below(60)) + ".481 INFO  [worker-" +
               std::to_string(random_.below(16)) + "] c.e." + kNouns[random_.below(20)] +
               " - processed {\"id\": " + std::to_string(random_.below(100000)) + ", \"state\": \"done\"} in 12 ms\n";
    }
    return lines;
  }

  void output() {
    out_ += "    <system-out><![CDATA[" + log_lines(20 + random_.below(60)) +
            "]]></system-out>\n    <system-err>warning: a &lt; b &amp; c\n</system-err>\n";
  }

  Random random_;
  std::string out_;
};

bool write(const std::string& path, const std::string& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return std::fclose(file) == 0 && whole;
}

bool generate(std::uint64_t seed, std::size_t size, const std::string& path) {
  Report report(seed);
  while (report.size() < size) report.suite();
  return write(path, report.finish());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: generate_report BYTES OUT.xml | generate_report BYTES FOLDER COUNT\n");
    return 64;
  }
  const std::size_t size = std::strtoull(argv[1], nullptr, 10);
  if (argc == 3) return generate(1, size, argv[2]) ? 0 : 74;
  const std::size_t count = std::strtoull(argv[3], nullptr, 10);
  std::filesystem::create_directories(argv[2]);
  for (std::size_t i = 0; i < count; ++i) {
    if (!generate(i + 1, size / count, std::string(argv[2]) + "/TEST-" + std::to_string(i) + ".xml")) return 74;
  }
  return 0;
}
