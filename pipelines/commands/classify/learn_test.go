// SPDX-License-Identifier: BSD-3-Clause

package classify

import (
	"context"
	"slices"
	"testing"

	"superpoint/embed/classes"
	"superpoint/filter/georef"
	"superpoint/filter/models"
	"superpoint/pipelines/commands/command"
	"superpoint/testdata/heights"
	"superpoint/testdata/must"
)

// steps is a host of a file with two steps of a stair, superpoints 7 and 9.
type steps struct{ command.Host }

func (steps) Context() context.Context { return context.Background() }
func (steps) Log(int, string)          {}
func (steps) Progress(string, float64) {}

func (steps) Read(string, []string) (*command.Columns, error) {
	c := &command.Columns{Dimensions: map[string][]float64{}}
	c.Reference = georef.Reference{WKT: `PROJCS["u",GEOGCS["g"],UNIT["metre",1],AUTHORITY["EPSG","32632"]]`}
	for i := range 200 {
		x, y := i%20, i/20
		c.X, c.Y, c.Z = append(c.X, float64(x)), append(c.Y, float64(y)), append(c.Z, float64(x/10*6))
		c.Dimensions["SuperpointID"] = append(c.Dimensions["SuperpointID"], float64(7+x/10*2))
	}
	return c, nil
}

// TestLabelsAreEvidence: what proposals are chosen by takes labels as evidence of the bodies that they are in.
func TestLabelsAreEvidence(t *testing.T) {
	m := must.Get(models.Classes("classes", heights.File(t)))(t)
	s := must.Get(readSegmented(steps{}, "made.las", "SuperpointID", 1, m))(t)
	_, done, err := s.learn(m, "made.las", &labelSet{Superpoint: map[uint32]int{9: 2}})
	want := []classes.Label{{Row: 1, Code: 2}}
	if err != nil || !slices.Equal(done, []int{1}) || !slices.Equal(s.features.Labels, want) {
		t.Errorf("rows %v, labels %v, %v", done, s.features.Labels, err)
	}
}
