// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/realdata"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

// scanned returns a simulated aerial scan.
func scanned(t *testing.T, scene string, o scenes.Options, points int, density float64) *las.Points {
	t.Helper()
	o.Detail = 0.3
	s := must.Get(scenes.New(scene, o))(t)
	return must.Get(scan.Cloud(parallel.Run{}, s, scan.Options{Mode: scan.Aerial, Points: points,
		Density: density,
		Seed:    o.Seed}))(t)
}

// TestSMRFAgreesWithPDAL compares the points that are ground with PDAL's filters.smrf, which fills in cells
// from the nearest ones, so that the points of a few cells differ.
func TestSMRFAgreesWithPDAL(t *testing.T) {
	pdal, err := realdata.PDAL()
	if err != nil {
		must.Need(t, os.Getenv("SUPERPOINT_PDAL") == "", "%v", err)
		t.Skip(err)
	}
	for name, o := range map[string]scenes.Options{"village": {Seed: 71, Relief: 3}, "forest": {Seed: 72}} {
		p := scanned(t, name, o, 15_000, 4)
		folder := t.TempDir()
		in, out := filepath.Join(folder, "in.las"), filepath.Join(folder, "out.las")
		must.OK(t, las.WriteFile(in, p, 0.001))
		stages := must.Get(json.Marshal([]any{in,
			map[string]string{"type": "filters.assign", "value": "Classification = 1"},
			map[string]string{"type": "filters.smrf"}, out}))(t)
		command := exec.Command(pdal, "pipeline", "--stdin")
		command.Stdin = strings.NewReader(string(stages))
		text, err := command.CombinedOutput()
		must.Need(t, err == nil, "%s: %v: %s", name, err, text)
		want := must.Get(las.ReadFile(out))(t)
		s := surveyed(t, p.X, p.Y, p.Z)
		terrain := s.findTerrain()
		same := 0
		for i, from := range s.Cloud.Order {
			if terrain.ground(i) == (want.Classification[from] == 2) {
				same++
			}
		}
		share := float64(same) / float64(s.Cloud.Len())
		must.Hold(t, share >= 0.995, "%s: %.3f of the points are ground, or not, as PDAL says", name, share)
	}
}
