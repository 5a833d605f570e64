// SPDX-License-Identifier: BSD-3-Clause

package cloud

import (
	"slices"

	"superpoint/embed/classes"
)

// Dimensions in which PDAL has the withheld flag of LAS: its own, or a bit of the flags.
const (
	withheldDimension = "Withheld"
	flagsDimension    = "ClassFlags"
	withheldFlag      = 4
)

// ClassInputs returns the dimensions that a classifier reads if the points have them.
func ClassInputs() []string { return append(classes.Dimensions(), withheldDimension, flagsDimension) }

// ClassInputs returns the dimensions of the view that a classifier reads.
func (v *View) ClassInputs() []string {
	return slices.DeleteFunc(classes.Dimensions(),
		func(name string) bool { return v.Dimensions[name] == nil })
}

// Withheld returns a function that reports whether a point of the view is marked as withheld.
func (v *View) Withheld() func(i uint32) bool {
	mark, flags := v.Dimensions[withheldDimension], v.Dimensions[flagsDimension]
	switch {
	case mark != nil:
		return func(i uint32) bool { return mark[i] != 0 }
	case flags != nil:
		return func(i uint32) bool { return uint8(flags[i])&withheldFlag != 0 }
	}
	return func(uint32) bool { return false }
}
