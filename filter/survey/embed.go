package survey

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"superpoint/embed"
	"superpoint/embed/atomicfile"
	"superpoint/filter"
	"superpoint/filter/records"
	"superpoint/partition/local"
)

func (v *Survey) tileLAS(n int) string    { return v.Path("embed", strconv.Itoa(n)+".las") }
func (v *Survey) tilePoints(n int) string { return v.Path("embed", strconv.Itoa(n)+".points") }
func (v *Survey) tileLong(n int) string   { return v.Path("embed", strconv.Itoa(n)+".long") }

// long are edges that are longer than the reach, by the IDs of their ends.
type long struct{ Own, End []uint64 }

func (l *long) arrays() []any { return []any{&l.Own, &l.End} }

// inputsOfEmbed are what the sources of a tile are now.
func (v *Survey) inputsOfEmbed(n int) (string, error) {
	var all []string
	for _, k := range v.plan.Tiles[n].Sources {
		all = append(all, v.plan.Sources[k].signature())
	}
	return strings.Join(all, " "), nil
}

// embed takes as much around a tile as it must: first the halo, then also what lies
// around places that are too near to where that ends.
func (v *Survey) embed(n int, m *Mark) error {
	t := &v.plan.Tiles[n]
	work, all, clean, err := v.collect(t)
	if err != nil {
		return err
	}
	defer clean()
	boxes := map[box]inBox{}
	if err := v.cellsOf(t, boxes); err != nil {
		return err
	}
	around := v.cellsFor(boxes)
	see := v.see(t, v.plan.Grid.Halo)
	for try := 1; ; try++ {
		m.Halo, m.Places = see.halo, len(see.places)
		err := v.embedIn(t, all, around, see, m)
		var narrow *local.HaloError
		if !errors.As(err, &narrow) {
			return err
		}
		if !see.add(narrow.Places, v.plan.Grid.Halo*v.plan.Unit) {
			see.widen(widening * see.halo)
		}
		v.host.Log(filter.LogInfo, fmt.Sprintf("tile %d, halo %.3g m and %d places: %v", t.Index, see.halo*v.plan.Unit,
			len(see.places), err))
		if all, around, err = v.gatherWide(t, filepath.Join(work, fmt.Sprintf("%d.las", try)), see); err != nil {
			return err
		}
	}
}

// readSlice reads what a tile sees of source k; nil if it has no point there.
func (v *Survey) readSlice(n, k int) (*records.File, error) {
	l, err := records.Read(v.slice(n, k))
	if os.IsNotExist(err) {
		return nil, nil // cut made sure of that
	}
	return l, err
}

// collect cuts the sources of a tile and joins its slices in a folder for work.
func (v *Survey) collect(t *planned) (work string, all *records.File, clean func(), err error) {
	if err := v.cutFor(t); err != nil {
		return "", nil, nil, err
	}
	if work, clean, err = atomicfile.Workspace(v.Path("embed")); err != nil {
		return "", nil, nil, err
	}
	if all, err = v.gather(t, filepath.Join(work, "all.las")); err != nil {
		clean()
	}
	return work, all, clean, err
}

// embedIn embeds the points of the core within what a file holds.
func (v *Survey) embedIn(t *planned, all *records.File, around *embed.Cells, see *view, m *Mark) error {
	if all == nil {
		return nil
	}
	inCore, err := v.coreOf(t, all)
	if err != nil {
		return err
	}
	core := 0
	for _, is := range inCore {
		if is {
			core++
		}
	}
	m.Points, m.HaloPoints = int64(core), int64(all.Count-core)
	if core == 0 {
		return nil
	}
	f, columns, err := v.filter(all)
	if err != nil {
		return err
	}
	part, err := f.Embed(filter.Run{Context: v.host.Context(), Step: v.host.Progress}, columns.View(), filter.Frame{
		Origin: v.plan.Exact.Origin, Measured: v.plan.Exact.measured(), Surroundings: around, Points: int(v.plan.Points),
		Core:   func(i int) bool { return inCore[i] },
		Rim:    func(i int) float64 { return see.clear(columns.X[i], columns.Y[i], columns.Z[i]) },
		Column: func(i int) bool { return see.column(columns.X[i], columns.Y[i], columns.Z[i]) },
		Cube: func(i int, reach float64) bool {
			return see.cube(columns.X[i], columns.Y[i], columns.Z[i], reach)
		}})
	if err != nil {
		return err
	}
	if err := v.writeCore(t, all, inCore, part.Outputs, &m.Records); err != nil {
		return err
	}
	edges := longOf(part, inCore, v.plan.Exact.Reach)
	if _, err := writeArrays(v.tileLong(t.Index), edges.arrays()); err != nil {
		return err
	}
	m.Dim, m.Long = part.Dim, len(edges.Own)
	sum, err := v.writePoints(v.tilePoints(t.Index), part, inCore, columns.X, columns.Y)
	if err != nil {
		return err
	}
	m.Sum = sumOf(m.Records, sum)
	for _, path := range []string{v.tileLAS(t.Index), v.tileLong(t.Index), v.tilePoints(t.Index)} {
		if err := v.made(m, path); err != nil {
			return err
		}
	}
	return nil
}

// longOf lists the long edges that points of the core begin.
func longOf(part *filter.Embedded, core []bool, reach float64) (l long) {
	for u, i := range part.Cloud.Order {
		if !core[i] {
			continue
		}
		for _, to := range part.Edges.Of(uint32(u)) {
			x, y, _ := part.Cloud.Offset(uint32(u), to)
			if math.Hypot(float64(x), float64(y)) > reach {
				l.Own, l.End = append(l.Own, part.ID[u]), append(l.End, part.ID[to])
			}
		}
	}
	return l
}
