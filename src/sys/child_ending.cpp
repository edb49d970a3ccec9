#include "sys/child_ending.hpp"

namespace flakestat::sys {

EndingStep Ending::step(const EndingFacts& facts) {
  switch (state_) {
    case State::running: return running(facts);
    case State::lingering: return lingering(facts);
    case State::terminating: return terminating(facts);
    case State::killing: return killing(facts);
  }
  return {EndingAction::finish, std::nullopt};
}

EndingStep Ending::running(const EndingFacts& facts) {
  if (facts.command_ended) {
    state_ = State::lingering;
    deadline_ = facts.now + limits_.leak_wait;
    return {EndingAction::wait, facts.now};
  }
  if (facts.interrupt != Interrupt::none) return end_for(EndingCause::interrupted, facts);
  if (!limits_.timeout) return {};
  const auto over = start_ + *limits_.timeout;
  if (facts.now >= over) return end_for(EndingCause::timed_out, facts);
  return {EndingAction::wait, over};
}

EndingStep Ending::lingering(const EndingFacts& facts) {
  if (!facts.others_left) return {EndingAction::finish, std::nullopt};
  if (facts.now < deadline_ && facts.interrupt == Interrupt::none) return {EndingAction::wait, deadline_};
  leaked_ = true;
  return facts.interrupt == Interrupt::now ? kill(facts) : terminate(facts);
}

EndingStep Ending::terminating(const EndingFacts& facts) {
  if (facts.command_ended && !facts.others_left) return {EndingAction::finish, std::nullopt};
  if (facts.interrupt == Interrupt::now || facts.now >= deadline_) return kill(facts);
  return {EndingAction::wait, deadline_};
}

EndingStep Ending::killing(const EndingFacts& facts) {
  if (facts.command_ended && !facts.others_left) return {EndingAction::finish, std::nullopt};
  if (facts.now >= deadline_) return {EndingAction::finish, std::nullopt};
  return {EndingAction::kill, deadline_};  // again: what was killed may have forked before it died
}

EndingStep Ending::end_for(EndingCause cause, const EndingFacts& facts) {
  cause_ = cause;
  return facts.interrupt == Interrupt::now ? kill(facts) : terminate(facts);
}

EndingStep Ending::terminate(const EndingFacts& facts) {
  state_ = State::terminating;
  deadline_ = facts.now + limits_.grace;
  return {EndingAction::terminate, deadline_};
}

EndingStep Ending::kill(const EndingFacts& facts) {
  state_ = State::killing;
  deadline_ = facts.now + limits_.kill_wait;
  return {EndingAction::kill, deadline_};
}

}  // namespace flakestat::sys
