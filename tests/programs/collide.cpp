// A test suite that copies of itself disturb: collide tree|tmp|port REPORT writes a report with the test `shared`,
// which fails when another copy was met, and the test `steady`. What is shared is
//   tree   ./collide.txt     tmp   /tmp/flakestat-collide-$COLLIDE_NAME     port   127.0.0.1:$COLLIDE_PORT
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace {

constexpr std::chrono::milliseconds kUse{15};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Whoever finds another's number in the file afterwards was disturbed.
bool own_file_survives(const std::string& path) {
  const auto mine = variable("FLAKESTAT_RUN") + " of " + std::to_string(::getpid());
  std::ofstream(path) << mine;
  std::this_thread::sleep_for(kUse);
  std::stringstream found;
  found << std::ifstream(path).rdbuf();
  return found.str() == mine;
}

bool port_is_free() {
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(variable("COLLIDE_PORT"))));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool bound = ::bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  if (bound && ::listen(server, 4) == 0) std::this_thread::sleep_for(kUse);
  ::close(server);
  return bound;
}

bool undisturbed(const std::string& mode) {
  if (mode == "tree") return own_file_survives("collide.txt");
  if (mode == "tmp") return own_file_survives("/tmp/flakestat-collide-" + variable("COLLIDE_NAME"));
  return port_is_free();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 64;
  const bool passed = undisturbed(argv[1]);
  std::ofstream(argv[2]) << "<testsuite name=\"s\"><testcase classname=\"C\" name=\"shared\">"
                         << (passed ? "" : "<failure message=\"disturbed\"/>")
                         << "</testcase><testcase classname=\"C\" name=\"steady\"/></testsuite>\n";
  return passed ? 0 : 1;
}
