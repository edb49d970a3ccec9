@test "flaky" { true; }
