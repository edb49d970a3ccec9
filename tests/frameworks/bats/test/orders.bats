@test "flaky" { [ $((${FLAKESTAT_RUN:-0} % 2)) = 0 ]; }
@test "flaky steady longer" { true; }
@test "listed [a/b]" { true; }
@test "steady [a/b]" { true; }
@test "listed (x) p|q * \$HOME it's é" { true; }
@test "steady (x) p|q * \$HOME it's é" { true; }
