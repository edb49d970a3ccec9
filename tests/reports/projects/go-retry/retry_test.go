package retry

import (
	"os"
	"testing"
)

func TestPasses(t *testing.T) {}

// A rerun is a process of its own: a file tells that there was one before.
func TestRecovers(t *testing.T) {
	if _, err := os.Stat("tried"); err != nil {
		_ = os.WriteFile("tried", nil, 0o600)
		t.Fatal("first try")
	}
}
