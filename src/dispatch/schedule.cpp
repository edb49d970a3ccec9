#include "dispatch/schedule.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace flakestat::dispatch {
namespace {

constexpr double kLittle = 0.5;           // seconds that nobody minds to wait
constexpr double kLittlePart = 1.0 / 20;  // nor this part of a worker's share

}  // namespace

Schedule::Schedule(const std::vector<ScheduledTest>& tests, Dist dist, int workers, Start start)
    : dist_(dist),
      costs_(expected_costs(tests)),
      tests_(tests.size()),
      slots_(static_cast<std::size_t>(std::max(workers, 1))),
      live_slots_(slots_.size()),
      unfinished_(tests.size()) {
  for (std::size_t i = 0; i < tests.size(); ++i) {
    tests_[i].serial = tests[i].serial;
    if (tests[i].serial) continue;
    ++parallel_unfinished_;
    parallel_cost_ += costs_.of[i];
  }
  worth_waiting_ = std::max(kLittle, kLittlePart * parallel_cost_ / static_cast<double>(slots_.size()));
  if (dist == Dist::each) plan_each();
  else plan(tests, start);
}

void Schedule::plan(const std::vector<ScheduledTest>& tests, Start start) {
  for (auto& work : plan_units(tests, costs_, dist_, static_cast<int>(slots_.size()), start)) {
    const auto unit = static_cast<std::uint32_t>(units_.size());
    units_.push_back({.divisible = work.divisible});
    std::uint32_t place = 0;
    for (const auto test : work.tests) {
      tests_[test].unit = unit;
      tests_[test].place = place++;
    }
    planned_.push_back(make_piece(unit, std::move(work.tests)));
  }
  for (const bool urgent : {true, false}) {
    for (std::size_t i = 0; i < tests.size(); ++i) {
      if (!tests[i].serial || tests[i].urgent != urgent) continue;
      tests_[i].place = static_cast<std::uint32_t>(serial_.size());
      serial_.push_back(i);
    }
  }
}

void Schedule::plan_each() {
  const auto part = std::max<std::size_t>(tests_.size() / slots_.size(), 1);
  std::vector<std::vector<std::size_t>> parts(slots_.size());
  for (std::size_t i = 0; i < tests_.size(); ++i) {
    const auto owner = std::min(i / part, slots_.size() - 1);
    tests_[i].unit = static_cast<std::uint32_t>(owner);
    tests_[i].place = static_cast<std::uint32_t>(i);
    ++slots_[owner].unfinished;
    if (tests_[i].serial) slots_[owner].serial.push_back(i);
    else parts[owner].push_back(i);
  }
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    units_.push_back({.divisible = false});
    slots_[k].own.push_back(make_piece(static_cast<std::uint32_t>(k), std::move(parts[k])));
  }
}

Schedule::Slot& Schedule::slot(int worker) {
  const auto index = static_cast<std::size_t>(std::max(worker, 0));
  if (index >= slots_.size()) {
    live_slots_ += index + 1 - slots_.size();
    slots_.resize(index + 1);
  }
  return slots_[index];
}

bool Schedule::is_out(int worker, std::size_t test) const {
  return test < tests_.size() && tests_[test].state == State::out && tests_[test].holder == worker;
}

Schedule::Piece Schedule::make_piece(std::uint32_t unit, std::vector<std::size_t> tests) const {
  Piece piece{.unit = unit, .tests = std::move(tests)};
  for (const auto test : piece.tests) piece.cost += costs_.of[test];
  return piece;
}

// ---- handing out

Schedule::Next Schedule::next(int worker) {
  Slot& mine = slot(worker);
  if (mine.retired) return {};
  if (has_enough(mine)) return {Next::Kind::later, 0};
  do {
    if (const auto test = from_own(mine)) return hand_out(worker, *test);
  } while (dist_ != Dist::each && refill(mine));
  if (const auto test = next_serial(worker)) return hand_out(worker, *test);
  const auto left = dist_ == Dist::each ? mine.unfinished : unfinished_;
  return {left == 0 ? Next::Kind::never : Next::Kind::later, 0};
}

std::optional<std::size_t> Schedule::pop(Piece& piece) {
  while (piece.first < piece.tests.size()) {
    const auto test = piece.tests[piece.first++];
    piece.cost -= costs_.of[test];
    if (tests_[test].state == State::waiting) return test;
  }
  return std::nullopt;
}

std::optional<std::size_t> Schedule::from_own(Slot& slot) {
  while (!slot.own.empty()) {
    if (const auto test = pop(slot.own.front())) return test;
    slot.own.pop_front();
  }
  return std::nullopt;
}

// Whether what it would be handed next might there wait so long that the run ends later for it. Bound tests that have
// begun have no other place to go to. A `later` costs fixtures that are torn down and set up again, so it must be worth
// it.
bool Schedule::has_enough(const Slot& slot) const {
  if (!costs_.known || live_slots_ < 2 || slot.out_cost <= worth_waiting_ || parallel_unfinished_ == 0) return false;
  if (!slot.own.empty() && !units_[slot.own.front().unit].divisible) return false;
  return slot.out_cost + cost_of_next(slot) > parallel_cost_ / static_cast<double>(live_slots_);
}

double Schedule::cost_of_next(const Slot& slot) const {
  for (const auto* const source : {&slot.own, &returned_, &planned_}) {
    if (source->empty()) continue;
    const auto& piece = source->front();
    if (piece.first == piece.tests.size()) continue;
    return units_[piece.unit].divisible ? costs_.of[piece.tests[piece.first]] : piece.cost;
  }
  return 0;
}

// Gives an empty-handed slot a piece; false when there is none to be had.
bool Schedule::refill(Slot& slot) {
  for (auto* const source : {&returned_, &planned_}) {
    if (source->empty()) continue;
    slot.own.push_back(std::move(source->front()));
    source->pop_front();
    return true;
  }
  return divide_another(slot);
}

// Takes the later half, by cost, of the largest piece that another slot was promised.
bool Schedule::divide_another(Slot& thief) {
  Piece* largest = nullptr;
  for (auto& slot : slots_) {
    for (auto& piece : slot.own) {
      if (!units_[piece.unit].divisible || piece.first == piece.tests.size()) continue;
      if (largest == nullptr || piece.cost > largest->cost) largest = &piece;
    }
  }
  if (largest == nullptr) return false;
  auto& tests = largest->tests;
  auto from = tests.size();
  double cost = 0;
  while (from > largest->first && (from == tests.size() || cost + costs_.of[tests[from - 1]] <= largest->cost / 2)) {
    cost += costs_.of[tests[--from]];
  }
  const auto begin = tests.begin() + static_cast<std::ptrdiff_t>(from);
  thief.own.push_back(make_piece(largest->unit, {begin, tests.end()}));
  tests.erase(begin, tests.end());
  largest->cost -= cost;
  return true;
}

Schedule::Next Schedule::hand_out(int worker, std::size_t test) {
  auto& entry = tests_[test];
  entry.state = State::out;
  entry.holder = worker;
  if (entry.serial) {
    ++serial_out_;
    serial_slot_ = worker;
  }
  if (entry.unit != kNoUnit) ++units_[entry.unit].begun;
  auto& mine = slot(worker);
  mine.out.push_back(test);
  mine.out_cost += costs_.of[test];
  return {Next::Kind::run, test};
}

// ---- serial tests

bool Schedule::may_run_serial(int worker) {
  if (parallel_unfinished_ > 0) return false;
  if (serial_out_ > 0) return worker == serial_slot_;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    if (!slots_[k].retired && !serial_of(slots_[k]).empty()) return std::cmp_equal(worker, k);
  }
  return false;
}

std::optional<std::size_t> Schedule::next_serial(int worker) {
  while (may_run_serial(worker)) {
    auto& queue = serial_of(slot(worker));
    if (queue.empty()) break;
    const auto test = queue.front();
    queue.pop_front();
    if (tests_[test].state == State::waiting) return test;
  }
  return std::nullopt;
}

// ---- what comes back

void Schedule::finished(int /*worker*/, std::size_t test) {
  if (test >= tests_.size() || tests_[test].state == State::finished) return;
  auto& entry = tests_[test];
  if (entry.state == State::out && entry.serial) --serial_out_;
  if (entry.unit != kNoUnit) {
    auto& unit = units_[entry.unit];
    if (entry.state == State::waiting) ++unit.begun;
    ++unit.ended;
  }
  if (dist_ == Dist::each) --slots_[entry.unit].unfinished;
  if (!entry.serial) {
    --parallel_unfinished_;
    parallel_cost_ -= costs_.of[test];
  }
  entry.state = State::finished;
  --unfinished_;
  if (entry.holder != kNobody) note_gone(std::exchange(entry.holder, kNobody), test);
}

void Schedule::note_gone(int worker, std::size_t test) {
  auto& from = slot(worker);
  from.out_cost -= costs_.of[test];
  while (!from.out.empty() && !is_out(worker, from.out.front())) from.out.pop_front();
  if (from.out.empty()) from.out_cost = 0;  // sums drift
}

void Schedule::take_back(std::size_t test) {
  auto& entry = tests_[test];
  entry.state = State::waiting;
  entry.holder = kNobody;
  if (entry.serial) --serial_out_;
  if (entry.unit != kNoUnit) --units_[entry.unit].begun;
}

void Schedule::give_back(int worker, const std::vector<std::size_t>& tests) {
  std::vector<std::size_t> back;
  Slot& from = slot(worker);
  for (const auto test : tests) {
    if (!is_out(worker, test)) continue;
    take_back(test);
    back.push_back(test);
  }
  if (back.empty()) return;
  std::erase_if(from.out, [&](std::size_t test) { return !is_out(worker, test); });
  for (const auto test : back) from.out_cost -= costs_.of[test];
  if (from.out.empty()) from.out_cost = 0;
  std::sort(back.begin(), back.end(), [this](std::size_t a, std::size_t b) {
    return std::tuple(tests_[a].serial, tests_[a].unit, tests_[a].place) <
           std::tuple(tests_[b].serial, tests_[b].unit, tests_[b].place);
  });
  // From the last to the first, each to the front.
  while (!back.empty()) {
    const auto last = back.back();
    const auto differs = [&](std::size_t test) {
      return tests_[test].serial != tests_[last].serial || tests_[test].unit != tests_[last].unit;
    };
    const auto begin = std::find_if(back.rbegin(), back.rend(), differs).base();
    if (tests_[last].serial) {
      auto& queue = serial_of(from);
      queue.insert(queue.begin(), begin, back.end());
    } else {
      put_back(worker, tests_[last].unit, {begin, back.end()});
    }
    back.erase(begin, back.end());
  }
}

void Schedule::put_back(int worker, std::uint32_t unit, std::vector<std::size_t> tests) {
  if (units_[unit].divisible) {
    returned_.push_front(make_piece(unit, std::move(tests)));
    return;
  }
  auto& own = slot(worker).own;
  const auto rest = std::find_if(own.begin(), own.end(), [unit](const Piece& piece) { return piece.unit == unit; });
  if (rest != own.end()) {
    tests.insert(tests.end(), rest->tests.begin() + static_cast<std::ptrdiff_t>(rest->first), rest->tests.end());
    own.erase(rest);
    std::sort(tests.begin(), tests.end(), [this](auto a, auto b) { return tests_[a].place < tests_[b].place; });
  }
  const bool stays = dist_ == Dist::each || units_[unit].begun > 0;
  (stays ? own : returned_).push_front(make_piece(unit, std::move(tests)));
}

bool Schedule::may_steal(int victim, std::size_t test) const {
  if (!is_out(victim, test) || tests_[test].serial || dist_ == Dist::each) return false;
  const auto& unit = units_[tests_[test].unit];
  if (unit.divisible) return true;
  if (unit.ended > 0) return false;
  // The process holds two tests, the one that runs and the next: a unit that they belong to has begun.
  int held = 0;
  for (const auto other : slots_[static_cast<std::size_t>(victim)].out) {
    if (!is_out(victim, other)) continue;
    if (tests_[other].unit == tests_[test].unit) return false;
    if (++held == 2) break;
  }
  return true;
}

std::vector<std::size_t> Schedule::retire(int worker) {
  Slot& gone = slot(worker);
  if (std::exchange(gone.retired, true)) return {};
  --live_slots_;
  if (dist_ == Dist::each) return lose_all_of(gone);
  give_back(worker, {gone.out.begin(), gone.out.end()});
  while (!gone.own.empty()) {
    returned_.push_front(std::move(gone.own.back()));
    gone.own.pop_back();
  }
  return {};
}

std::vector<std::size_t> Schedule::lose_all_of(Slot& slot) {
  std::vector<std::size_t> lost;
  const auto worker = static_cast<int>(&slot - slots_.data());
  for (std::size_t test = 0; test < tests_.size(); ++test) {
    if (tests_[test].state == State::finished || std::cmp_not_equal(tests_[test].unit, worker)) continue;
    lost.push_back(test);
    finished(worker, test);
  }
  slot.own.clear();
  slot.serial.clear();
  return lost;
}

}  // namespace flakestat::dispatch
