// Times the bare parse of JUnit XML by go-junit: `peer ROUNDS FILE_OR_FOLDER` prints one JSON line.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/joshdk/go-junit"
)

func fail(code int, format string, args ...any) {
	fmt.Fprintf(os.Stderr, "peer: "+format+"\n", args...)
	os.Exit(code)
}

func load(path string) [][]byte {
	paths := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		paths, _ = filepath.Glob(filepath.Join(path, "*.xml"))
	}
	var reports [][]byte
	for _, name := range paths {
		bytes, err := os.ReadFile(name)
		if err != nil {
			fail(66, "cannot read %s: %v", name, err)
		}
		reports = append(reports, bytes)
	}
	return reports
}

func count(suites []junit.Suite) int {
	cases := 0
	for _, suite := range suites {
		cases += len(suite.Tests) + count(suite.Suites)
	}
	return cases
}

func parse(reports [][]byte) int {
	cases := 0
	for _, bytes := range reports {
		suites, err := junit.Ingest(bytes)
		if err != nil {
			fail(65, "cannot parse: %v", err)
		}
		cases += count(suites)
	}
	return cases
}

func main() {
	if len(os.Args) != 3 {
		fail(64, "usage: peer ROUNDS FILE_OR_FOLDER")
	}
	rounds, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fail(64, "ROUNDS is a number")
	}
	reports := load(os.Args[2])
	bytes, cases := 0, 0
	for _, report := range reports {
		bytes += len(report)
	}
	var seconds []float64
	for i := 0; i < rounds; i++ {
		start := time.Now()
		cases = parse(reports)
		seconds = append(seconds, time.Since(start).Seconds())
	}
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"name": "go-junit 1.0.0 (Go)", "files": len(reports), "bytes": bytes, "cases": cases, "seconds": seconds,
	})
}
