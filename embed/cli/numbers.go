package cli

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"
)

// Float adds an option for a number from lo to hi. A default outside of this range means
// that the option was not given.
func Float(f *pflag.FlagSet, to *float64, name string, value, lo, hi float64, help string) {
	*to = value
	f.Var(&number{to, lo, hi}, name, help)
}

// Int adds an option for a whole number from lo to hi.
func Int(f *pflag.FlagSet, to *int, name string, value, lo, hi int, help string) {
	*to = value
	f.Var(&whole{to, lo, hi}, name, help)
}

// Number parses a number from lo to hi.
func Number(text string, lo, hi float64) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= lo && v <= hi) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("give a number from %v to %v", lo, hi)
	}
	return v, nil
}

// Whole parses a whole number from lo to hi.
func Whole(text string, lo, hi int) (int, error) {
	v, err := strconv.Atoi(text)
	if err != nil || v < lo || v > hi {
		return 0, fmt.Errorf("give a whole number from %d to %d", lo, hi)
	}
	return v, nil
}

type number struct {
	to     *float64
	lo, hi float64
}

func (n *number) Set(text string) error {
	v, err := Number(text, n.lo, n.hi)
	if err == nil {
		*n.to = v
	}
	return err
}

func (n *number) Type() string { return "number" }

func (n *number) String() string {
	return strconv.FormatFloat(*n.to, 'g', -1, 64)
}

type whole struct {
	to     *int
	lo, hi int
}

func (n *whole) Set(text string) error {
	v, err := Whole(text, n.lo, n.hi)
	if err == nil {
		*n.to = v
	}
	return err
}

func (n *whole) Type() string { return "integer" }

func (n *whole) String() string {
	return strconv.Itoa(*n.to)
}
