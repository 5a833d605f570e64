// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"math"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func flags() (f *pflag.FlagSet, x *float64, n *int) {
	f, x, n = newFlags("test"), new(float64), new(int)
	Float(f, x, "x", -1, 0.5, 2, "a number")
	Int(f, n, "n", 7, 1, 10, "a whole number")
	return f, x, n
}

func TestRanges(t *testing.T) {
	for text, good := range map[string]bool{
		"--x=0.5": true, "--x=2": true, "--x=1e0": true, "--n=1": true, "--n=10": true,
		"--x=nan": false, "--x=inf": false, "--x=-Inf": false, "--x=1e308": false, "--x=0.4999": false, "--x=": false,
		"--x=1,5": false, "--x=1 ": false,
		"--n=0": false, "--n=11": false, "--n=1.5": false, "--n=99999999999999999999": false, "--n=nan": false,
	} {
		f, x, n := flags()
		_, err := parse(f, []string{text})
		if (err == nil) != good || err != nil && !strings.Contains(err.Error(), "give a") {
			t.Errorf("%s: %v", text, err)
		}
		if err != nil && (*x != -1 || *n != 7) {
			t.Errorf("%s is refused, but was stored: %v, %v", text, *x, *n)
		}
	}
}

func TestHelpNamesDefaults(t *testing.T) {
	f, _, _ := flags()
	text := help(f, "FILE\n", errHelp)
	if !strings.Contains(text, "--n integer") || !strings.Contains(text, "default 7") ||
		!strings.Contains(text, "default -1") {
		t.Error(text)
	}
}

func FuzzNumber(f *testing.F) {
	for _, text := range []string{"1", "-0", "nan", "+Inf", "1e308", "0x1p-2", "1_0", "٣"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fs, x, n := flags()
		if err := fs.Parse([]string{"--x=" + text}); err == nil && !(*x >= 0.5 && *x <= 2) {
			t.Errorf("%q gives %v", text, *x)
		}
		if err := fs.Parse([]string{"--n=" + text}); err == nil && (*n < 1 || *n > 10) {
			t.Errorf("%q gives %v", text, *n)
		}
		if v, err := Number(text, math.Inf(-1), math.Inf(1)); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			t.Errorf("%q gives %v", text, v)
		}
	})
}
