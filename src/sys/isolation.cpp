#include "sys/isolation.hpp"
namespace flakestat::sys {
std::string to_string(const Isolation& i) {
  std::string out;
  auto add = [&](bool on, const char* name) {
    if (on) out += (out.empty() ? "" : ",") + std::string(name);
  };
  add(i.fs, "fs");
  add(i.tmp, "tmp");
  add(i.pid, "pid");
  add(i.net, "net");
  return out.empty() ? "none" : out;
}
}  // namespace flakestat::sys
