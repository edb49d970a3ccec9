#include "app/scoring_flags.hpp"

#include "base/duration.hpp"
#include "base/strings.hpp"

namespace flakestat::app {
namespace {

template <class T>
void overlay(const std::optional<T>& flag, T& value) {
  if (flag) value = *flag;
}

void overlay_bayes(const ScoringFlags& flags, stats::BayesParameters& bayes) {
  overlay(flags.break_rate_feature, bayes.break_rate_feature);
  overlay(flags.start_broken, bayes.start_broken);
  overlay(flags.start_broken_feature, bayes.start_broken_feature);
  overlay(flags.start_streak, bayes.start_streak);
  overlay(flags.shared_break, bayes.shared_break);
  overlay(flags.shared_repair, bayes.shared_repair);
  overlay(flags.change_rate, bayes.change_rate);
  overlay(flags.noise_floor, bayes.noise_floor);
  overlay(flags.prior_flaky, bayes.prior_flaky);
  overlay(flags.enter, bayes.enter);
  overlay(flags.leave, bayes.leave);
  overlay(flags.suspect, bayes.suspect);
}

void overlay_flip_rate(const ScoringFlags& flags, stats::FlipRateParameters& flip_rate) {
  overlay(flags.alpha, flip_rate.alpha);
  overlay(flags.same_commit_weight, flip_rate.same_commit_weight);
  overlay(flags.branch_weight, flip_rate.branch_weight);
  overlay(flags.threshold, flip_rate.threshold);
  overlay(flags.suspect_threshold, flip_rate.suspect_threshold);
}

Error usage(const std::string& message) { return {ErrorKind::usage, message}; }

}  // namespace

env::ScoringConfig in_words_of_the_config(const stats::ScoringOptions& options) {
  const auto& bayes = options.bayes;
  const auto& flip_rate = options.flip_rate;
  env::ScoringConfig config;
  config.model = options.model == stats::Model::bayes ? "bayes" : "flip-rate";
  config.min_runs = options.min_runs;
  config.break_rate = bayes.break_rate;
  config.break_rate_auto = !bayes.break_rate;
  config.break_rate_feature = bayes.break_rate_feature;
  config.start_broken = bayes.start_broken;
  config.start_broken_feature = bayes.start_broken_feature;
  config.start_streak = bayes.start_streak;
  config.shared_break = bayes.shared_break;
  config.shared_repair = bayes.shared_repair;
  config.change_rate = bayes.change_rate;
  config.noise_floor = bayes.noise_floor;
  config.prior_flaky = bayes.prior_flaky;
  config.enter = bayes.enter;
  config.leave = bayes.leave;
  config.suspect = bayes.suspect;
  config.alpha = flip_rate.alpha;
  config.same_commit_weight = flip_rate.same_commit_weight;
  config.branch_weight = flip_rate.branch_weight;
  if (options.model == stats::Model::flip_rate) config.threshold = flip_rate.threshold;
  config.suspect_threshold = flip_rate.suspect_threshold;
  config.same_code_window = std::chrono::milliseconds(options.same_code_window_ms);
  return config;
}

Result<stats::Model> parse_model(const std::string& name) {
  if (name == "bayes") return stats::Model::bayes;
  if (name == "flip-rate") return stats::Model::flip_rate;
  return usage("unknown model " + in_quotes(name) + ": bayes or flip-rate");
}

Result<std::optional<double>> parse_break_rate(const std::string& text) {
  if (text == "auto") return std::optional<double>{};
  const auto value = number_in<double>(text);
  if (!value || !(*value > 0 && *value < 1)) {
    return usage("break rate " + in_quotes(text) + ": auto, or a number between 0 and 1");
  }
  return value;
}

Result<void> apply(const ScoringFlags& flags, stats::ScoringOptions& options) {
  if (flags.model) {
    auto model = parse_model(*flags.model);
    if (!model) return model.error();
    options.model = *model;
  }
  if (flags.break_rate) {
    auto rate = parse_break_rate(*flags.break_rate);
    if (!rate) return rate.error().with("--break-rate");
    options.bayes.break_rate = *rate;
  }
  if (flags.same_code_window) {
    auto window = parse_duration(*flags.same_code_window);
    if (!window) return window.error().with("--same-code-window");
    options.same_code_window_ms = window->count();
  }
  overlay_bayes(flags, options.bayes);
  overlay_flip_rate(flags, options.flip_rate);
  overlay(flags.min_runs, options.min_runs);
  for (const auto& key : flags.context_keys) options.context_keys.push_back(key);
  for (const auto& key : flags.context_ignore) options.context_ignore.push_back(key);
  if (!(options.bayes.leave <= options.bayes.enter)) return usage("--leave must not be above --enter");
  return {};
}

}  // namespace flakestat::app
