// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"cmp"
	"context"
	"math"

	"superpoint/embed/classes"
)

// Run says how training is carried out.
type Run struct {
	Context context.Context
	Report  func(step, steps int, loss float64) // after every step, of at most steps
}

// nobody is in place of the network that learns without a sample: every network learns it.
const nobody = -1

// trainer holds what steps share.
type trainer struct {
	classes.Settings
	model      *classes.Model   // that is trained, or that all are joined to
	all        []*classes.Model // networks
	without    []int            // of each sample: the network that learns without it, or nobody, see deal
	samples    []*classes.Sample
	sets       []classes.Set
	cumulative []float64
}

// cumulate adds up what pick chooses samples by.
func (t *trainer) cumulate() {
	sum := 0.0
	for _, s := range t.samples {
		sum += math.Sqrt(float64(s.Features.Len())) * cmp.Or(s.Weight, 1)
		t.cumulative = append(t.cumulative, sum)
	}
}
