package survey

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"superpoint/filter/memory"
	"superpoint/partition/local"
	"superpoint/partition/tile"
)

// JoinDone tells that the atoms of all tiles are partitioned.
type JoinDone struct {
	Step    string  `json:"step"`
	Plan    string  `json:"plan"`
	Inputs  string  `json:"inputs"` // checksum of the tiles' marks
	AtomSum uint32  `json:"atom_sum"`
	Sum     uint32  `json:"sum"` // of the components
	Points  int64   `json:"points"`
	Atoms   int     `json:"atoms"`
	Seconds float64 `json:"seconds"`
	Memory  int64   `json:"memory"` // most bytes the process had in memory; 0 = not known
	// Memory a point of the survey; more than the step's own where one process does all steps
	PointBytes float64          `json:"bytes_a_point"`
	Head       local.JoinedHead `json:"head"`
	Skipped    bool             `json:"skipped,omitempty"` // the plan's tiles are stitched without this step
}

// Join partitions what the tiles have merged their points into, unless that is
// done. Only exact tiles need it.
func (v *Survey) Join() (*JoinDone, error) {
	j := &JoinDone{Step: "join", Plan: v.sum}
	if v.plan.Exact == nil {
		j.Skipped = true
		return j, nil
	}
	start := time.Now()
	marks, inputs, err := v.marks()
	if err != nil {
		return nil, err
	}
	before := new(JoinDone)
	if readJSON(v.path("joined.json"), before) && before.Plan == j.Plan && before.Inputs == inputs {
		if v.joinedWhole(before) {
			return before, nil
		}
	}
	dim, flat, atoms := 0, make([]*coarsened, len(marks)), make([]*local.Atoms, len(marks))
	for n := range flat {
		flat[n] = nothing()
		if _, err := readArrays(v.tileAtoms(n), flat[n].AtomArrays.Arrays()); err != nil {
			return nil, fmt.Errorf("tile %d: %w", n, err)
		}
		if c := flat[n]; len(c.First) > 0 {
			dim = len(c.Mean) / len(c.First)
		}
	}
	for n, c := range flat {
		if atoms[n], err = c.Atoms(dim); err != nil {
			return nil, fmt.Errorf("tile %d: %w", n, err)
		}
		j.Points, j.Atoms, flat[n] = j.Points+marks[n].Points, j.Atoms+len(c.First), nil
	}
	j.Inputs = inputs
	joined, err := local.Join(v.parallel(), dim, v.plan.Exact.Sphere, v.plan.Exact.Lambda, v.plan.Exact.MinSize, atoms)
	if err != nil {
		return nil, err
	}
	if err := v.writeJoined(joined, j); err != nil {
		return nil, err
	}
	j.Seconds, j.Memory = seconds(start), memory.Peak()
	j.PointBytes = math.Round(10*float64(j.Memory)/float64(max(1, j.Points))) / 10
	return j, writeJSON(v.path("joined.json"), j)
}

// marks reads the marks of all tiles, and their checksum.
func (v *Survey) marks() (all []*RunDone, inputs string, err error) {
	sum, points := []byte(v.sum), int64(0)
	found := new(embedded)
	if v.plan.Exact != nil {
		if found, err = v.allEmbedded(); err != nil {
			return nil, "", err
		}
	}
	for n := range v.plan.Tiles {
		t := &v.plan.Tiles[n]
		done := new(RunDone)
		if !readJSON(v.tileMark(n), done) || done.Plan != v.sum || v.plan.Exact != nil && done.Inputs != found.Inputs {
			return nil, "", fmt.Errorf("tile %d (%s) is not done; run: pdal superpoint survey run %s %d", n, t.Name, v.folder, n)
		}
		points += done.Points
		sum = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(sum, done.Sum), done.SeamSum)
		all = append(all, done)
	}
	return all, fmt.Sprintf("%08x", tile.Sum(sum)), v.lost(points)
}
