// Prints "begin", then argv[1] MiB of lines, then "end".
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  const long mebibytes = argc > 1 ? std::atol(argv[1]) : 1;
  const std::string line(1023, 'x');
  std::puts("begin");
  for (long i = 0; i < mebibytes * 1024; ++i) std::puts(line.c_str());
  std::puts("end");
  return 0;
}
