// Any bytes as one of the files that runs keep: the ledger, what single runs say of it, a shard's manifest, pytest's
// own cache. No crash; an error that names the file, or a value that survives being written and read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "store/last_failed.hpp"
#include "store/ledger_codec.hpp"
#include "store/shard_manifests.hpp"

namespace {

using namespace flakestat;

void require(bool condition) {
  if (!condition) std::abort();
}

void require_good(const Error& error) {
  require(error.kind == ErrorKind::damaged || error.kind == ErrorKind::config);
  require(error.message.find("fuzz") != std::string::npos);
  require(error.message.find('\x1b') == std::string::npos);
}

void ledger(const std::string& text) {
  const auto read = store::parse_ledger(text, "fuzz");
  if (!read) return require_good(read.error());
  const auto written = store::encode_ledger(*read);
  const auto again = store::parse_ledger(written, "fuzz");
  require(again.ok() && again->tests == read->tests && store::encode_ledger(*again) == written);
}

void ledger_runs(const std::string& text) {
  const auto read = store::parse_ledger_runs(text, "fuzz");
  if (!read) return require_good(read.error());
  const auto again = store::parse_ledger_runs(store::encode_ledger_runs(*read), "fuzz");
  require(again.ok() && *again == *read);
}

void shard(const std::string& text) {
  const auto read = store::parse_shard_manifest(text, "fuzz");
  if (!read) return require_good(read.error());
  const auto again = store::parse_shard_manifest(store::encode_shard(*read), "fuzz");
  require(again.ok() && *again == *read);
}

void last_failed(const std::string& text) {
  store::LastFailedNews news;
  news.collected = {"a.py::t", "a.py::u"};
  news.settled = {{"a.py::t", RunFate::failed}, {"a.py::u", RunFate::passed}};
  const auto merged = store::merge_last_failed(text, news);
  require(!merged || !store::merge_last_failed(*merged, news));  // told once, told for good
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(data + 1, data + size);
  switch (data[0] % 4) {
    case 0: ledger(text); break;
    case 1: ledger_runs(text); break;
    case 2: shard(text); break;
    default: last_failed(text); break;
  }
  return 0;
}
