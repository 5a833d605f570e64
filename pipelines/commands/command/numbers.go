// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"
)

// Float adds an option for a number from lo to hi. A default outside of this range means
// that the option was not given.
func Float(f *pflag.FlagSet, to *float64, name string, value, lo, hi float64, help string) {
	f.Var(newRanged(to, value, lo, hi, Number, "number"), name, help)
}

// Int adds an option for a whole number from lo to hi.
func Int(f *pflag.FlagSet, to *int, name string, value, lo, hi int, help string) {
	f.Var(newRanged(to, value, lo, hi, Whole, "integer"), name, help)
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

// ranged is the value of an option in a range.
type ranged[T int | float64] struct {
	to     *T
	lo, hi T
	parse  func(text string, lo, hi T) (T, error)
	kind   string
}

func newRanged[T int | float64](to *T, value, lo, hi T, parse func(string, T, T) (T, error), kind string) *ranged[T] {
	*to = value
	return &ranged[T]{to, lo, hi, parse, kind}
}

func (r *ranged[T]) Set(text string) error {
	v, err := r.parse(text, r.lo, r.hi)
	if err == nil {
		*r.to = v
	}
	return err
}

func (r *ranged[T]) Type() string { return r.kind }

func (r *ranged[T]) String() string { return fmt.Sprint(*r.to) }
