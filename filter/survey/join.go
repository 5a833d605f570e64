package survey

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"superpoint/embed/whole"
	"superpoint/filter/memory"
	"superpoint/filter/records"
	"superpoint/partition/local"
	"superpoint/partition/parallel"
	"superpoint/partition/tile"
)

// JoinDone tells that the atoms of all tiles are partitioned.
type JoinDone struct {
	Step    string  `json:"step"`
	Plan    string  `json:"plan"`
	Inputs  string  `json:"inputs"` // checksum of the tiles' marks
	Sum     uint32  `json:"sum"`    // of the partition
	Points  int64   `json:"points"`
	Atoms   int     `json:"atoms"`
	Again   []int   `json:"again,omitempty"` // tiles that were done again: long edges of others came to light
	Seconds float64 `json:"seconds"`
	Memory  int64   `json:"memory"`
	Skipped bool    `json:"skipped,omitempty"` // the plan's tiles are stitched without this step
}

func (v *Survey) joined() string { return v.path("joined") }

func (v *Survey) parallel() parallel.Run {
	threads, _ := strconv.Atoi(v.Replaced["threads"])
	return parallel.Run{Context: v.host.Context(), Threads: threads}
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
		if sum, err := readArrays(v.joined(), new(local.JoinedArrays).Arrays()); err == nil && sum == before.Sum {
			return before, nil
		}
	}
	tiles, err := v.certified(j, marks)
	if err != nil {
		return nil, err
	}
	if _, j.Inputs, err = v.marks(); err != nil { // again: some may have been done again
		return nil, err
	}
	dim, atoms := 0, make([]*local.Atoms, len(tiles))
	for n, c := range tiles {
		if len(c.First) > 0 {
			dim = len(c.Mean) / len(c.First)
		}
		if atoms[n], err = c.Atoms(dim); err != nil {
			return nil, fmt.Errorf("tile %d: %w", n, err)
		}
		j.Points, j.Atoms, tiles[n] = j.Points+marks[n].Points, j.Atoms+len(c.First), nil
	}
	joined, err := local.Join(v.parallel(), dim, v.plan.Exact.Sphere, v.plan.Exact.Lambda, v.plan.Exact.MinSize, atoms)
	if err != nil {
		return nil, err
	}
	if j.Sum, err = writeArrays(v.joined(), joined.Flat().Arrays()); err != nil {
		return nil, err
	}
	j.Seconds, j.Memory = seconds(start), memory.Peak()
	return j, writeJSON(v.path("joined.json"), j)
}

func seconds(since time.Time) float64 { return math.Round(1000*time.Since(since).Seconds()) / 1000 }

// marks reads the marks of all tiles, and their checksum.
func (v *Survey) marks() (all []*RunDone, inputs string, err error) {
	sum, points := []byte(v.sum), int64(0)
	for n := range v.plan.Tiles {
		t := &v.plan.Tiles[n]
		done := new(RunDone)
		if !readJSON(v.tileMark(n), done) || done.Plan != v.sum {
			return nil, "", fmt.Errorf("tile %d (%s) is not done; run: pdal superpoint survey run %s %d", n, t.Name, v.folder, n)
		}
		points += done.Points
		sum = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(sum, done.Sum), done.SeamSum)
		all = append(all, done)
	}
	return all, fmt.Sprintf("%08x", tile.Sum(sum)), v.lost(points)
}

// certified reads the atoms of all tiles. A tile took for granted that nobody
// beyond its halo has an edge longer than the reach to a point that it took for
// known. Where that is not so, it is done again and told of the edge.
func (v *Survey) certified(j *JoinDone, marks []*RunDone) ([]*coarsened, error) {
	tiles := make([]*coarsened, len(marks))
	read := func(n int) (err error) {
		tiles[n] = nothing()
		if _, err = readArrays(v.tileAtoms(n), tiles[n].AtomArrays.Arrays()); err == nil {
			_, err = readArrays(v.tileLong(n), tiles[n].long.arrays())
		}
		return err
	}
	redo := func(n int, told [][2]uint64) (err error) {
		j.Again = append(j.Again, n)
		if marks[n], err = v.again(n, max(marks[n].HaloWidth, v.plan.Grid.Halo), told, false); err == nil {
			err = writeJSON(v.tileMark(n), marks[n])
		}
		if err == nil {
			err = read(n)
		}
		return err
	}
	for n := range tiles {
		err := read(n)
		if errors.Is(err, os.ErrNotExist) { // once a tile is written, some of it is removed
			err = redo(n, nil)
		}
		if err != nil {
			return nil, err
		}
	}
	told := make([][][2]uint64, len(tiles))
	for {
		missing, err := v.missing(tiles, marks)
		if err != nil {
			return nil, err
		}
		if len(missing) == 0 {
			break
		}
		for n := range tiles {
			if len(missing[n]) == 0 {
				continue
			}
			told[n] = append(told[n], missing[n]...)
			if err := redo(n, told[n]); err != nil {
				return nil, err
			}
		}
	}
	for _, c := range tiles {
		c.long = long{}
	}
	return tiles, nil
}

// again does a tile once more, with at least some halo and knowing of some edges.
func (v *Survey) again(n int, halo float64, told [][2]uint64, joined bool) (*RunDone, error) {
	t, err := v.tile(n)
	if err != nil {
		return nil, err
	}
	work, clean, err := whole.Workspace(v.path("tiles"))
	if err != nil {
		return nil, err
	}
	defer clean()
	start := time.Now()
	done := &RunDone{Step: "run", Tile: n, Plan: v.sum, Inputs: v.inputs(t)}
	var all *records.File
	if all, err = v.gatherWide(t, filepath.Join(work, "all.las"), halo); err == nil {
		err = v.coarsen(t, work, all, halo, told, joined, done)
	}
	if err != nil {
		return nil, fmt.Errorf("tile %d (%s): %w", n, t.Name, err)
	}
	done.Seconds, done.Memory = seconds(start), memory.Peak()
	return done, nil
}
