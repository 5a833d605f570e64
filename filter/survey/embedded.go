package survey

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"superpoint/partition/tile"
)

// embedded is what was found around all points of a survey, as far as every tile must
// know of it: how many points there are, and the long edges.
type embedded struct {
	Plan   string `json:"plan"`
	Inputs string `json:"inputs"` // checksum of the tiles' marks
	Points int64  `json:"points"`
	Sum    uint32 `json:"sum"` // of the edges
	long   `json:"-"`
}

// allEmbedded reads what was found of all tiles. Whoever is the first to ask adds it up;
// all who do get the same.
func (v *Survey) allEmbedded() (*embedded, error) {
	all := &embedded{Plan: v.sum}
	sum := []byte(v.sum)
	for n := range v.plan.Tiles {
		mark, err := v.embedMark(n)
		if err != nil {
			return nil, err
		}
		all.Points += mark.Points
		sum = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(sum, mark.Sum), mark.Around)
	}
	if err := v.lost(all.Points); err != nil {
		return nil, err
	}
	all.Inputs = fmt.Sprintf("%08x", tile.Sum(sum))
	before := new(embedded)
	if readJSON(v.path("embedded.json"), before) && before.Plan == all.Plan && before.Inputs == all.Inputs {
		if sum, err := readArrays(v.path("embedded"), before.arrays()); err == nil && sum == before.Sum {
			return before, nil
		}
	}
	for n := range v.plan.Tiles {
		mark, err := v.embedMark(n)
		if err != nil {
			return nil, err
		}
		var own long
		if mark.Points == 0 {
			continue
		}
		if _, err := readArrays(v.tileLong(n), own.arrays()); err != nil {
			return nil, fmt.Errorf("tile %d: %w", n, err)
		}
		all.Own, all.End = append(all.Own, own.Own...), append(all.End, own.End...)
	}
	if len(all.Own) != len(all.End) {
		return nil, errors.New("the tiles' long edges do not fit together; remove tiles and start again")
	}
	var err error
	if all.Sum, err = writeArrays(v.path("embedded"), all.arrays()); err != nil {
		return nil, err
	}
	return all, writeJSON(v.path("embedded.json"), all)
}

// doubt marks points as not known where long edges end whose beginning is not seen.
func (a *around) doubt(l *long) {
	for k, end := range l.End {
		u, ok := slices.BinarySearch(a.ID, end)
		if !ok {
			continue
		}
		if _, ok := slices.BinarySearch(a.ID, l.Own[k]); !ok {
			a.Known[u] = false
		}
	}
}
