@test "flaky" { [ $((${FLAKESTAT_RUN:-0} % 2)) = 0 ]; }
@test "flaky steady longer" { true; }
@test "flaky [a/b]" { [ $((${FLAKESTAT_RUN:-0} % 2)) = 0 ]; }
@test "steady [a/b]" { true; }
@test "flaky (x) p|q * \$HOME it's é" { [ $((${FLAKESTAT_RUN:-0} % 2)) = 0 ]; }
@test "steady (x) p|q * \$HOME it's é" { true; }
