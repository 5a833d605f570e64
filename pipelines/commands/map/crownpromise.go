// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

// checkCrowns checks the layer of crowns: its polygons were valid when they were read.
func (r *results) checkCrowns() error {
	want := 0
	for k := range r.m.Trees {
		if r.m.Trees[k].Crown != nil {
			want++
		}
	}
	if len(r.crowns) != want {
		return r.broken(mapObjects, "%d crowns of %d", len(r.crowns), want)
	}
	near := footprintIndex(r.buildings)
	for k := range r.crowns {
		if err := r.checkOver(near, "crown", &r.crowns[k]); err != nil {
			return err
		}
	}
	return nil
}
