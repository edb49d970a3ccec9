package steady

import "testing"

func TestFlaky(t *testing.T) {}
