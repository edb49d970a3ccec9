package shop

import (
	"os"
	"strconv"
	"testing"
)

func failInOddRuns(t *testing.T) {
	run, _ := strconv.Atoi(os.Getenv("FLAKESTAT_RUN"))
	if run%2 == 1 {
		t.Fatal("odd run")
	}
}

var oddNames = []string{"a b", "[a/b]", "(x)", "p|q", "$HOME", "it's", "é", "#01", "x\\y", "^x$"}

func TestFlaky(t *testing.T) { failInOddRuns(t) }

func TestFlakySteadyLonger(t *testing.T) {}

func TestFlakyOdd(t *testing.T) {
	for _, name := range oddNames {
		t.Run(name, failInOddRuns)
	}
}

func TestSteadyOdd(t *testing.T) {
	for _, name := range oddNames {
		t.Run(name, func(t *testing.T) {})
	}
}
