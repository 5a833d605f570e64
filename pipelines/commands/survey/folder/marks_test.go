// SPDX-License-Identifier: BSD-3-Clause

package folder

import (
	"testing"

	"superpoint/pipelines/commands/survey/plan"
	"superpoint/testdata/must"
)

// TestTilesHaveAllPoints: the tiles of a survey have as many points as its sources.
func TestTilesHaveAllPoints(t *testing.T) {
	v := &Survey{Plan: &plan.Plan{Points: 30}}
	must.OK(t, v.checkComplete(30))
	must.Fail(v.checkComplete(29))(t, "29 points", "30")
}
