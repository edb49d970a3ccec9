#include "store/ledger_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/sha256.hpp"
#include "store/hunt_files.hpp"
#include "store/ledger_codec.hpp"
#include "store/replacement_file.hpp"
#include "sys/file.hpp"

namespace flakestat::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".json";
// No run_id is written with an @ (file_stem), so that no run has the name of a pack.
constexpr std::string_view kPack = "@pack-";
constexpr std::size_t kPackDigest = 16;
// A pack that large is left alone: it would be written again with every packing.
constexpr std::uintmax_t kLargePack = std::uintmax_t{8} << 20;
constexpr std::size_t kFullPack = std::size_t{16} << 20;
constexpr std::size_t kEntryWeight = 100;

std::string in(const std::string& folder, const std::string& name) { return folder + "/" + name; }

Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator next(folder, error);
  if (error == std::errc::no_such_file_or_directory) return names;
  for (const fs::directory_iterator end; !error && next != end; next.increment(error)) {
    std::error_code unknown;
    auto name = next->path().filename().string();
    if (name.ends_with(kExtension) && fs::is_regular_file(next->symlink_status(unknown)))
      names.push_back(std::move(name));
  }
  if (error) return sys::errno_error("read " + folder, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

Result<LedgerRuns> read_runs(const std::string& path) {
  const auto json = sys::read_file(path, kMostLedgerBytes);
  if (!json) return json.error();
  return parse_ledger_runs(*json, path);
}

std::int64_t newest(const LedgerRuns& runs) {
  std::int64_t epoch = 0;
  for (const auto& [run, tests] : runs) {
    for (const auto& [id, entry] : tests) epoch = std::max(epoch, entry.last_epoch);
  }
  return epoch;
}

struct PackedFile {
  std::string name;
  std::int64_t newest = 0;
  LedgerRuns runs;
};

// Every file but large packs, the oldest first; those that cannot be read stay where they are.
Result<std::vector<PackedFile>> packable(const std::string& folder) {
  auto names = names_in(folder);
  if (!names) return names.error();
  std::vector<PackedFile> files;
  for (auto& name : *names) {
    std::error_code unknown;
    if (name.starts_with(kPack) && fs::file_size(in(folder, name), unknown) > kLargePack) continue;
    auto runs = read_runs(in(folder, name));
    if (!runs) continue;
    const auto age = newest(*runs);
    files.push_back({std::move(name), age, std::move(*runs)});
  }
  std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.newest < b.newest; });
  return files;
}

// Never more than can be read again.
Result<std::string> encode_within_limit(const LedgerRuns& runs, const std::string& folder) {
  auto text = encode_ledger_runs(runs);
  if (text.size() > kMostLedgerBytes)
    return Error{ErrorKind::io, "a run in " + folder + " would take more than 64 MiB: it is not recorded"};
  return text;
}

// The name of the pack.
Result<std::string> write_pack(const std::string& folder, const LedgerRuns& runs, const sys::FileCalls& calls) {
  const auto encoded = encode_within_limit(runs, folder);
  if (!encoded) return encoded.error();
  const auto& text = *encoded;
  auto name = std::string(kPack) + hex_prefix(sha256(text), kPackDigest) + std::string(kExtension);
  FLAKESTAT_TRY(refuse_link(in(folder, name)));
  FLAKESTAT_TRY(replace_durably(in(folder, name), text, calls));
  return name;
}

// About its size in a file.
std::size_t weight(const LedgerTests& tests) {
  std::size_t bytes = 0;
  for (const auto& [id, entry] : tests) bytes += id.size() + kEntryWeight;
  return bytes;
}

// As many packs as it takes to keep each of them readable. Their names.
Result<std::vector<std::string>> write_packs(const std::string& folder, const LedgerRuns& runs,
                                             const sys::FileCalls& calls) {
  FLAKESTAT_TRY(make_own_folder(folder));
  std::vector<std::string> names;
  LedgerRuns pack;
  std::size_t bytes = 0;
  const auto write = [&]() -> Result<void> {
    auto name = write_pack(folder, pack, calls);
    if (!name) return name.error();
    names.push_back(std::move(*name));
    pack.clear();
    bytes = 0;
    return {};
  };
  for (const auto& [run, tests] : runs) {
    const auto more = run.size() + weight(tests);
    if (!pack.empty() && bytes + more > kFullPack) FLAKESTAT_TRY(write());
    pack.emplace(run, tests);
    bytes += more;
  }
  if (!pack.empty()) FLAKESTAT_TRY(write());
  return names;
}

void leave_out_forgotten(LedgerRuns& runs, const LedgerTests& known, const LedgerAge& age) {
  for (auto& [run, tests] : runs) {
    std::erase_if(tests, [&](const auto& test) {
      const auto at = known.find(test.first);
      return at != known.end() && age.forgets(at->second.last_epoch);
    });
  }
}

}  // namespace

Result<void> replace_durably(const std::string& named, std::string_view text, const sys::FileCalls& calls) {
  std::error_code error;
  const auto real = fs::canonical(named, error).string();
  const auto path = error ? named : real;
  if (error && error != std::errc::no_such_file_or_directory) return sys::errno_error("open " + named, error.value());
  sys::Fd like;
  if (!error) {
    auto opened = sys::open_read(path);
    if (!opened) return opened.error();
    like = std::move(*opened);
  }
  auto file = ReplacementFile::create(path, like.valid() ? like.get() : -1, calls);
  if (!file) return file.error();
  FLAKESTAT_TRY(file->write(text));
  return file->commit();
}

Result<LedgerFolder> read_ledger_folder(const std::string& folder) {
  auto names = names_in(folder);
  if (!names) return names.error();
  LedgerFolder found;
  for (auto& name : *names) {
    const auto path = in(folder, name);
    auto runs = read_runs(path);
    if (!runs) {
      // Packed by another process while we looked.
      if (runs.error().kind != ErrorKind::missing)
        found.notes.push_back(runs.error().message + "; it does not count: restore or remove it");
      continue;
    }
    unite(found.runs, *runs);
    found.files.push_back(std::move(name));
  }
  return found;
}

Result<void> write_ledger_run(const std::string& folder, const std::string& run, const LedgerTests& tests,
                              const sys::FileCalls& calls) {
  FLAKESTAT_TRY(make_own_folder(folder));
  const auto path = in(folder, file_stem(run) + std::string(kExtension));
  FLAKESTAT_TRY(refuse_link(path));
  auto runs = read_runs(path);
  if (!runs && runs.error().kind != ErrorKind::missing) {
    return Error{ErrorKind::io, runs.error().message + "; move it away and repeat"};
  }
  LedgerRuns united = runs ? std::move(*runs) : LedgerRuns{};
  if (!unite(united, {{run, tests}})) return {};
  const auto text = encode_within_limit(united, folder);
  if (!text) return text.error();
  return replace_durably(path, *text, calls);
}

Result<void> write_ledger_pack(const std::string& folder, const LedgerRuns& runs, const sys::FileCalls& calls) {
  const auto names = write_packs(folder, runs, calls);
  return names ? Result<void>{} : names.error();
}

Result<void> pack_ledger_folder(const std::string& folder, const LedgerRuns& known, const LedgerPacking& packing,
                                const LedgerAge& age, const sys::FileCalls& calls) {
  auto names = names_in(folder);
  if (!names) return names.error();
  if (names->size() <= packing.most_files) return {};
  auto files = packable(folder);
  if (!files) return files.error();
  if (files->size() <= packing.kept_files) return {};
  files->resize(files->size() - packing.kept_files);
  LedgerRuns old;
  for (const auto& file : *files) unite(old, file.runs);
  leave_out_forgotten(old, total(known), age);
  const auto packs = write_packs(folder, old, calls);
  if (!packs) return packs.error();
  for (const auto& file : *files) {
    // After a crash a pack may hold what an earlier one held, and have its name.
    if (std::find(packs->begin(), packs->end(), file.name) == packs->end()) ::unlink(in(folder, file.name).c_str());
  }
  return {};
}

}  // namespace flakestat::store
