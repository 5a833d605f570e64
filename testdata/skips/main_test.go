package main

import (
	"strings"
	"testing"
)

// TestReport: skipped tests are counted with their reason, what failed is printed, and
// what passed is not.
func TestReport(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	report(strings.NewReader(`{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:7: no GPU here\n"}
{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:9: it is broken\n"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:9: all is well\n"}
{"Action":"pass","Package":"p","Test":"TestC"}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
`), &b)
	want := "    b_test.go:9: it is broken\nFAIL\tp\t0.1s\n1 tests skipped. 1: no GPU here (TestA)\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
