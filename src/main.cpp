#include "cli/run.hpp"

int main(int argc, char** argv) { return flakestat::cli::run(argc, argv); }
