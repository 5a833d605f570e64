// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

// TestSixFold runs the script for those who have S3DIS or vKITTI3D on two parts that the scanner makes, with a recipe
// of two steps.
func TestSixFold(t *testing.T) {
	for _, c := range []struct{ kind, parts, scene, mode string }{
		{"s3dis", "Area_1 Area_2", "room", scan.Terrestrial}, {"vkitti", "01 02", "street", scan.Spinning},
	} {
		t.Run(c.kind, func(t *testing.T) {
			folder, out := t.TempDir(), t.TempDir()
			for i, part := range strings.Fields(c.parts) {
				s := must.Get(scenes.New(c.scene, scenes.Options{Seed: uint64(i + 1)}))(t)
				p := must.Get(scan.Cloud(parallel.Run{}, s,
					scan.Options{Mode: c.mode, Points: 6000, Seed: uint64(i + 1), Noise: 1, Rain: 1, Color: true}))(t)
				must.OK(t, os.MkdirAll(filepath.Join(folder, part), 0o755))
				must.OK(t, las.WriteFile(filepath.Join(folder, part, "cloud.las"), p, 0.001))
			}
			text := must.Get(os.ReadFile(filepath.Join("..", "..", "embed", "train", "recipes", c.kind+".yaml")))(t)
			for _, line := range []string{"batch: {clouds: 2, points: 800}",
				"optimise: {epochs: 1, steps: 2, rate: 0.01, decay: 0.7, decay_at: [], clip: 1, norm_share: 0.5, average: 0}"} {
				key, _, _ := strings.Cut(line, ":")
				text = regexp.MustCompile(`(?m)^`+key+`:.*$`).ReplaceAll(text, []byte(line))
			}
			recipe := filepath.Join(out, "short.yaml")
			must.OK(t, os.WriteFile(recipe, text, 0o644))
			t.Setenv("PARTS", c.parts)
			t.Setenv("RECIPE", recipe)
			t.Setenv("LOSSES", "cross-partition")
			t.Setenv("TARGETS", "50")
			done := in(t, out, file(t, "evidence/six-fold.sh"), c.kind, folder, "results")
			done.ok(t)
			for _, system := range []string{"ssp:" + c.kind + "-cross-partition", "geom-graph", "vccs", "lin"} {
				if !strings.Contains(done.stdout, "| 50 | "+system+" | ") {
					t.Errorf("no row of %s in\n%s", system, done.stdout)
				}
			}
		})
	}
}
