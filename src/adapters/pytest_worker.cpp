#include "adapters/pytest_worker.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/hook_source.hpp"
#include "text/json_writer.hpp"

namespace flakestat::adapters {
namespace {

constexpr int kProtocol = 1;
constexpr std::size_t kLongestLine = std::size_t{256} << 20;
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;
constexpr std::string_view kPlugin = "flakestat_run_pytest.py";
constexpr const char* kSetup = "FLAKESTAT_RUN_SETUP";

// Reads the set-up and the plugin from the descriptor that the variable names, and hands over. What runs here has no
// file: the plugin's module must not look like the tests' __main__.
constexpr const char* kBootstrap =
    "import os,sys,types\n"
    "with os.fdopen(int(os.environ.pop('FLAKESTAT_RUN_SETUP')),encoding='utf-8') as f: s,p=f.readline(),f.read()\n"
    "m=sys.modules['flakestat_run_pytest']=types.ModuleType('flakestat_run_pytest')\n"
    "exec(compile(p,'<flakestat_run_pytest>','exec'),m.__dict__)\n"
    "import json\n"
    "sys.exit(m.main(json.loads(s)))\n";

const char* word(PytestMode mode) {
  switch (mode) {
    case PytestMode::single: return "single";
    case PytestMode::worker: return "worker";
    case PytestMode::controller: return "controller";
  }
  return "";
}

std::string setup_text(const PytestStart& start, int channel, int feed, int state) {
  text::JsonWriter json(text::JsonStyle::compact);
  json.begin_object().field("protocol", kProtocol).field("mode", word(start.mode));
  json.key("args").begin_array();
  for (const auto& arg : start.command.args) json.value(arg);
  json.end_array();
  json.field("argv0", start.command.argv0).field("path0", start.command.path0);
  json.field("channel", channel).field("feed", feed).field("state", state);
  json.field("leader", start.leader).field("identities", start.leader);
  json.field("workers", start.workers);
  if (start.mode == PytestMode::worker) json.field("worker", "gw" + std::to_string(start.worker));
  if (start.reports) json.field("reports", true);
  if (start.adopts_workers) json.field("adopt_workers", true);
  if (!start.workerinput.empty()) json.key("workerinput").raw(start.workerinput);
  json.field("testrun_uid", start.testrun_uid).field("basetemp", start.basetemp);
  json.field("randomly_seed", start.randomly_seed);
  json.end_object();
  return json.take() + "\n";
}

sys::ChildSpec spec_of(const PytestStart& start) {
  sys::ChildSpec spec;
  spec.argv = start.command.python;
  spec.argv.emplace_back("-c");
  spec.argv.emplace_back(kBootstrap);
  spec.directory = start.directory;
  spec.environment = start.environment;
  spec.shares_terminal = start.mode == PytestMode::single;
  return spec;
}

}  // namespace

Result<PytestWorker> PytestWorker::start(const PytestStart& start) {
  auto channel = sys::stream_pair();
  if (!channel) return channel.error();
  auto feed = sys::packet_pair();
  if (!feed) return feed.error();
  auto page = sys::WorkerPage::create();
  if (!page) return page.error();
  auto setup =
      sys::memory_file("flakestat-setup", setup_text(start, channel->theirs.get(), feed->theirs.get(), page->fd()) +
                                              std::string(hook_source(kPlugin)));
  if (!setup) return setup.error();
  auto spec = spec_of(start);
  spec.environment.emplace_back(kSetup, std::to_string(setup->get()));
  spec.inherited = {channel->theirs.get(), feed->theirs.get(), page->fd(), setup->get()};
  auto process = sys::WorkerProcess::start(spec);
  if (!process) return process.error();
  PytestWorker worker(*std::move(process), *std::move(page));
  worker.channel_ = std::move(channel->ours);
  worker.feed_ = std::move(feed->ours);
  worker.feed_reader_ = std::move(feed->theirs);
  return worker;
}

PytestWorker::PytestWorker(sys::WorkerProcess process, sys::WorkerPage page)
    : process_(std::move(process)), page_(std::move(page)) {}

void PytestWorker::add_polls(std::vector<pollfd>& polls) const {
  const auto wants_out = static_cast<short>(outbox_.empty() ? 0 : POLLOUT);
  if (channel_.valid()) polls.push_back({channel_.get(), static_cast<short>(POLLIN | wants_out), 0});
  if (!backlog_.empty() && feed_.valid()) polls.push_back({feed_.get(), POLLOUT, 0});
  if (process_.output() >= 0) polls.push_back({process_.output(), POLLIN, 0});
  if (process_.pidfd() >= 0) polls.push_back({process_.pidfd(), POLLIN, 0});
}

std::vector<PytestMessage> PytestWorker::receive() {
  std::vector<PytestMessage> messages;
  flush();
  read_output();
  read_channel(messages);
  return messages;
}

void PytestWorker::read_channel(std::vector<PytestMessage>& messages) {
  std::array<char, 65536> buffer;
  for (std::size_t taken = 0; channel_.valid() && taken < kReadAtOnce;) {
    const auto count = ::recv(channel_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) {
      channel_.reset();
      break;
    }
    inbox_.append(buffer.data(), static_cast<std::size_t>(count));
    taken += static_cast<std::size_t>(count);
  }
  take_lines(messages);
}

void PytestWorker::take_lines(std::vector<PytestMessage>& messages) {
  std::size_t start = 0;
  for (;;) {
    const auto end = inbox_.find('\n', std::max(start, scanned_));
    if (end == std::string::npos) break;
    if (broken_.empty()) {
      auto message = reader_.read(std::string_view(inbox_).substr(start, end - start));
      if (message) messages.push_back(*std::move(message));
      else broken_ = message.error().message;
    }
    start = end + 1;
    scanned_ = start;
  }
  inbox_.erase(0, start);
  scanned_ = inbox_.size();
  if (inbox_.size() > kLongestLine) {
    broken_ = "a line of more than 256 MiB";
    inbox_.clear();
    scanned_ = 0;
  }
}

void PytestWorker::read_output() {
  std::array<char, 65536> buffer;
  // Somebody may write faster than we read: the others have their turn.
  for (std::size_t taken = 0; process_.output() >= 0 && taken < kReadAtOnce;) {
    const auto count = ::read(process_.output(), buffer.data(), buffer.size());
    taken += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    if (count > 0) output_.append({buffer.data(), static_cast<std::size_t>(count)});
    else if (count < 0 && errno == EAGAIN) return;
    else if (count == 0 || errno != EINTR) process_.close_output();
  }
}

void PytestWorker::say(std::string_view json) {
  outbox_ += json;
  outbox_ += '\n';
  flush();
}

void PytestWorker::feed(std::string packet) {
  backlog_.push_back(std::move(packet));
  flush();
}

std::vector<std::string> PytestWorker::take_back() {
  auto packets = sys::take_packets_back(feed_reader_.get());
  for (auto& waiting : backlog_) packets.push_back(std::move(waiting));
  backlog_.clear();
  return packets;
}

void PytestWorker::flush() {
  while (!backlog_.empty() && sys::send_packet(feed_.get(), backlog_.front())) backlog_.pop_front();
  if (!outbox_.empty() && channel_.valid() && !sys::send_pending(channel_.get(), outbox_)) outbox_.clear();
}

std::string PytestWorker::last_output() const { return output_.last_lines(100, 16384); }

}  // namespace flakestat::adapters
