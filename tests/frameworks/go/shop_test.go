package shop

import (
	"os"
	"strconv"
	"testing"
)

func TestFlaky(t *testing.T) {
	run, _ := strconv.Atoi(os.Getenv("FLAKESTAT_RUN"))
	if run%2 == 1 {
		t.Fatal("odd run")
	}
}

var oddNames = []string{"a b", "[a/b]", "(x)", "p|q", "$HOME", "it's", "é", "#01", "x\\y", "^x$"}

func TestFlakySteadyLonger(t *testing.T) {}

func TestListed(t *testing.T) {
	for _, name := range oddNames {
		t.Run(name, func(t *testing.T) {})
	}
}

func TestSteady(t *testing.T) {
	for _, name := range oddNames {
		t.Run(name, func(t *testing.T) {})
	}
}
