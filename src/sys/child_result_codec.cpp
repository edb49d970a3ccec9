#include "sys/child_result_codec.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace flakestat::sys {
namespace {

constexpr std::size_t kOtherLimit = std::size_t{64} << 20;

// Both ends are the same program on the same machine: numbers go as they lie in memory.
void put(std::string& out, std::uint64_t number) {
  std::array<char, sizeof number> bytes;
  std::memcpy(bytes.data(), &number, sizeof number);
  out.append(bytes.data(), bytes.size());
}

void put(std::string& out, std::string_view text) {
  put(out, std::uint64_t{text.size()});
  out += text;
}

void put(std::string& out, const std::vector<LeakedProcess>& processes) {
  put(out, std::uint64_t{processes.size()});
  for (const auto& process : processes) {
    put(out, process.name);
    put(out, static_cast<std::uint64_t>(process.pid));
  }
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    if (bytes_.size() < sizeof value) return fail();
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string_view text() {
    const auto size = number();
    if (size > bytes_.size()) return fail(), std::string_view();
    const auto found = bytes_.substr(0, static_cast<std::size_t>(size));
    bytes_.remove_prefix(found.size());
    return found;
  }
  std::chrono::milliseconds time() { return std::chrono::milliseconds(static_cast<std::int64_t>(number())); }
  std::vector<LeakedProcess> processes() {
    std::vector<LeakedProcess> found;
    for (auto left = number(); left > 0 && ok_; --left) {
      LeakedProcess process;
      process.name = text();
      process.pid = static_cast<pid_t>(number());
      found.push_back(std::move(process));
    }
    return found;
  }
  [[nodiscard]] bool complete() const { return ok_ && bytes_.empty(); }

 private:
  std::uint64_t fail() {
    ok_ = false;
    bytes_ = {};
    return 0;
  }

  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace

std::string encode_result(const ChildResult& result) {
  const auto output = result.output.parts();
  std::string out;
  out.reserve(output.head.size() + output.tail.size() + 1024);
  put(out, static_cast<std::uint64_t>(result.end));
  put(out, static_cast<std::uint64_t>(result.code));
  put(out, result.start_problem);
  put(out, output.total);
  put(out, output.head);
  put(out, output.tail);
  for (const auto time : {result.use.wall, result.use.user, result.use.system}) {
    put(out, static_cast<std::uint64_t>(time.count()));
  }
  put(out, result.use.max_rss_kib);
  put(out, result.leaked);
  put(out, result.unended);
  return out;
}

std::optional<ChildResult> decode_result(std::string_view bytes, const ChildSpec& spec) {
  Reader reader(bytes);
  ChildResult result;
  const auto end = reader.number();
  if (end > static_cast<std::uint64_t>(ChildEnd::lost)) return std::nullopt;
  result.end = static_cast<ChildEnd>(end);
  result.code = static_cast<int>(reader.number());
  result.start_problem = reader.text();
  OutputCapture::Parts parts;
  parts.total = reader.number();
  parts.head = reader.text();
  parts.tail = reader.text();
  auto output = OutputCapture::restored(spec.head_limit, spec.tail_limit, parts);
  if (!output) return std::nullopt;
  result.output = std::move(*output);
  result.use.wall = reader.time();
  result.use.user = reader.time();
  result.use.system = reader.time();
  result.use.max_rss_kib = reader.number();
  result.leaked = reader.processes();
  result.unended = reader.processes();
  if (!reader.complete()) return std::nullopt;
  return result;
}

std::size_t encoded_result_limit(const ChildSpec& spec) { return spec.head_limit + spec.tail_limit + kOtherLimit; }

}  // namespace flakestat::sys
