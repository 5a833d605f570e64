// SPDX-License-Identifier: BSD-3-Clause

package realdata

import "testing"

func TestReadAerialTile(t *testing.T) {
	p := Read(t, "val/lidarhd_77060_627760.laz")
	if p.Len() == 0 {
		t.Fatal("no points")
	}
	classes := map[uint8]int{}
	for _, c := range p.Classification {
		classes[c]++
	}
	if classes[2] == 0 || classes[6] == 0 {
		t.Errorf("classes %v: ground and building expected", classes)
	}
	for _, name := range []string{"train/ign_870000_6618000_rgb.las"} {
		if q := Read(t, name); q.Len() != 70840 || q.Red == nil {
			t.Errorf("%s: %d points, colour %v; the manifest says 70840 with colour", name, q.Len(), q.Red != nil)
		}
	}
}
