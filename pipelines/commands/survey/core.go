package survey

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strconv"
	"strings"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
)

// joinSlices writes the slices of a tile to one file, in the order of sources; nil if there
// are no points.
func (v *Survey) joinSlices(t *plannedTile, path string) (*las.File, error) {
	var w *las.Writer
	for _, k := range t.Sources {
		l, err := v.readSlice(t.Index, k)
		if err != nil {
			return nil, err
		}
		if l == nil {
			continue
		}
		if w == nil {
			if w, err = las.NewWriter(path, l.Head); err != nil {
				return nil, err
			}
			defer w.Discard()
		}
		if err := l.Each(func(_ int, record []byte) error { return w.Append(record) }); err != nil {
			return nil, err
		}
	}
	if w == nil {
		return nil, nil
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return las.Read(path)
}

// coreOf reports which records lie in a tile's core.
func (v *Survey) coreOf(t *plannedTile, all *las.File) ([]bool, error) {
	box, core := v.plan.Grid.Core(t.Column, t.Row), make([]bool, all.Count)
	return core, all.Each(func(i int, record []byte) error {
		core[i] = box.Contains(all.Position(las.XYZ(record)))
		return nil
	})
}

// options returns the options of the stage in this process.
func (v *Survey) options() (*filter.Options, error) {
	given := map[string]string{}
	for _, from := range []map[string]string{v.plan.Options, v.Overrides} {
		for name, value := range from {
			given[name] = value
		}
	}
	return filter.OptionsOf(given)
}

// filter reads a file and returns a filter for its dimensions, and its columns.
func (v *Survey) filter(all *las.File) (*filter.Filter, *host.Columns, error) {
	columns, err := v.host.Read(all.Path, v.plan.Reads)
	if err != nil {
		return nil, nil, err
	}
	if len(columns.X) != all.Count {
		return nil, nil, fmt.Errorf("%s: %d of %d points were read", all.Path, len(columns.X), all.Count)
	}
	f, err := v.newFilter(columns.Available)
	return f, columns, err
}

// writeCore writes the records of the core with the outputs of the filter; ids are 0.
func (v *Survey) writeCore(t *plannedTile, all *las.File, core []bool, result *filter.Segmentation,
	sum *uint32) error {
	columns := make([][]float64, len(v.plan.Outputs))
	for k, f := range v.plan.Outputs {
		columns[k] = make([]float64, all.Count)
		if k == 0 {
			continue
		}
		if err := result.Output(f.Name, columns[k]); err != nil {
			return err
		}
	}
	patch, err := v.fieldWriters(all)
	if err != nil {
		return err
	}
	return atomicfile.File(v.file("embed", t.Index, "las"), func(path string) error {
		written, _, err := all.Copy(path, func(i int, record []byte) (bool, error) {
			if core[i] {
				for k, put := range patch {
					put(record, columns[k][i])
				}
			}
			return core[i], nil
		})
		*sum = uint32(written)
		return err
	})
}

// fieldWriters returns, for each output, what writes it into a record.
func (v *Survey) fieldWriters(l *las.File) (all []func(record []byte, v float64), err error) {
	for _, f := range v.plan.Outputs {
		x := l.Find(f.Name)
		if own := l.Field(f.Name); x == nil && own != nil {
			all = append(all, own)
			continue
		}
		if x == nil {
			return nil, fmt.Errorf("dimension %s is not an extra dimension of %s; choose another name for it", f.Name,
				l.Path)
		}
		all = append(all, fieldWriter(f.Type, x.At))
	}
	return all, nil
}

func (v *Survey) parallel() parallel.Run {
	threads, _ := strconv.Atoi(v.Overrides["threads"])
	return parallel.Run{Context: v.host.Context(), Threads: threads}
}

// checksumOf returns a checksum of checksums.
func checksumOf(sums ...uint32) uint32 {
	var body []byte
	for _, s := range sums {
		body = binary.LittleEndian.AppendUint32(body, s)
	}
	return crc32.ChecksumIEEE(body)
}

// fieldWriter returns a function that writes a value of PDAL's type kind at byte at of a record.
// A 64-bit integer is not changed if its float64 equals the value, because float64 has only 53
// bits.
func fieldWriter(kind string, at int) func(record []byte, v float64) {
	le := binary.LittleEndian
	switch kind {
	case "float":
		return func(r []byte, v float64) { le.PutUint32(r[at:], math.Float32bits(float32(v))) }
	case "double":
		return func(r []byte, v float64) { le.PutUint64(r[at:], math.Float64bits(v)) }
	}
	text, unsigned := strings.CutPrefix(kind, "u")
	bits, _ := strconv.Atoi(strings.TrimPrefix(text, "int"))
	return func(r []byte, v float64) {
		n := uint64(int64(v))
		if unsigned {
			n = uint64(v)
		}
		if bits == 64 {
			old := le.Uint64(r[at:])
			if unsigned && float64(old) == v || !unsigned && float64(int64(old)) == v {
				return
			}
		}
		for k := range bits / 8 {
			r[at+k] = byte(n >> (8 * k))
		}
	}
}
