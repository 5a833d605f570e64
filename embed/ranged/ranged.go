// Package ranged has the flags for numbers of all commands: a number that is not
// finite or out of its range is refused when it is read, before any work.
package ranged

import (
	"flag"
	"fmt"
	"math"
	"strconv"
)

// Float adds a flag for a number from lo to hi. The default may lie outside: it
// then means that nothing was given.
func Float(f *flag.FlagSet, to *float64, name string, value, lo, hi float64, help string) {
	*to = value
	f.Var(&number{to, lo, hi}, name, help)
}

// Int adds a flag for a whole number from lo to hi.
func Int(f *flag.FlagSet, to *int, name string, value, lo, hi int, help string) {
	*to = value
	f.Var(&whole{to, lo, hi}, name, help)
}

// Parse reads a number from lo to hi.
func Parse(text string, lo, hi float64) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= lo && v <= hi) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("give a number from %v to %v", lo, hi)
	}
	return v, nil
}

type number struct {
	to     *float64
	lo, hi float64
}

func (n *number) Set(text string) (err error) {
	v, err := Parse(text, n.lo, n.hi)
	if err == nil {
		*n.to = v
	}
	return err
}

func (n *number) String() string {
	if n.to == nil || *n.to == 0 {
		return ""
	}
	return strconv.FormatFloat(*n.to, 'g', -1, 64)
}

type whole struct {
	to     *int
	lo, hi int
}

func (n *whole) Set(text string) error {
	v, err := strconv.Atoi(text)
	if err != nil || v < n.lo || v > n.hi {
		return fmt.Errorf("give a whole number from %d to %d", n.lo, n.hi)
	}
	*n.to = v
	return nil
}

func (n *whole) String() string {
	if n.to == nil || *n.to == 0 {
		return ""
	}
	return strconv.Itoa(*n.to)
}
