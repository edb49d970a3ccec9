#include "model/dimensions.hpp"

#include <algorithm>
#include <array>

#include "base/strings.hpp"

namespace flakestat {
namespace {

struct Runtime {
  std::string_view property;
  std::string_view name;
};

constexpr std::array<Runtime, 5> kRuntimes = {{{"java.version", "java"},
                                               {"go.version", "go"},
                                               {"python.version", "python"},
                                               {"node.version", "node"},
                                               {"ruby.version", "ruby"}}};

// The trimmed value of the first property of that name, compared without letter case.
std::string_view property(const Dimensions& properties, std::string_view wanted) {
  for (const auto& [name, value] : properties) {
    if (equals_ignoring_case(trim(name), wanted)) return trim(value);
  }
  return {};
}

bool is_key(std::string_view key) {
  static constexpr std::string_view kAlphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !key.empty() && key.find_first_not_of(kAlphanumeric) == std::string_view::npos &&
         std::string_view("._-").find(key.front()) == std::string_view::npos;
}

}  // namespace

const Dimensions& SharedDimensions::get() const {
  static const Dimensions kNone;
  return shared_ ? *shared_ : kNone;
}

std::string& SharedDimensions::operator[](const std::string& key) {
  if (!shared_) shared_ = std::make_shared<Dimensions>();
  else if (shared_.use_count() > 1) shared_ = std::make_shared<Dimensions>(*shared_);
  return (*shared_)[key];
}

Dimensions merge(const Dimensions& lower, const Dimensions& higher) {
  Dimensions out;
  for (const auto* layer : {&lower, &higher}) {
    for (const auto& [key, value] : *layer) {
      if (!value.empty()) out[key] = value;
    }
  }
  return out;
}

std::string canonical(const Dimensions& dimensions) {
  std::string out;
  for (const auto& [key, value] : dimensions) {
    if (value.empty()) continue;
    out.append(key).append(1, '=').append(value).append(1, '\n');
  }
  return out;
}

bool is_provenance(std::string_view key) {
  static constexpr std::array kKeys = {dim::kCiRunId,   dim::kCiRunNumber, dim::kCiJobId,
                                       dim::kCiAttempt, dim::kCiWorker,    dim::kCiShard};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

Dimensions from_properties(const Dimensions& properties) {
  Dimensions out;
  if (properties.empty()) return out;
  const auto set = [&out](std::string_view key, std::string_view value) {
    if (!value.empty()) out.emplace(key, value);
  };
  set(dim::kOs, property(properties, "os.name"));
  set(dim::kArch, property(properties, "os.arch"));
  for (const auto& runtime : kRuntimes) {
    const auto version = property(properties, runtime.property);
    if (version.empty()) continue;
    set(dim::kRuntimeName, runtime.name);
    set(dim::kRuntimeVersion, version);
    break;
  }
  return out;
}

bool is_recognised_property(std::string_view name) {
  const auto wanted = trim(name);
  return equals_ignoring_case(wanted, "os.name") || equals_ignoring_case(wanted, "os.arch") ||
         std::any_of(kRuntimes.begin(), kRuntimes.end(),
                     [&](const Runtime& runtime) { return equals_ignoring_case(wanted, runtime.property); });
}

Result<std::pair<std::string, std::string>> parse_dimension(std::string_view pair) {
  const auto equals = pair.find('=');
  const auto invalid = [&](const char* why) {
    return Error{ErrorKind::usage, "dimension " + in_quotes(pair) + ": " + why};
  };
  if (equals == std::string_view::npos) return invalid("expected key=value");
  const auto key = trim(pair.substr(0, equals));
  if (key.empty()) return invalid("the key is empty");
  if (!is_key(key)) {
    return invalid("a key holds letters, digits, dot, dash and underscore and starts with a letter or digit");
  }
  return std::pair{std::string(key), std::string(trim(pair.substr(equals + 1)))};
}

}  // namespace flakestat
