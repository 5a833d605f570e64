// SPDX-License-Identifier: BSD-3-Clause

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
	"superpoint/pipelines/files/las"
)

// coreOf reports which records lie in a tile's core.
func (v *Survey) coreOf(t *plannedTile, all []*las.File) (core []bool, err error) {
	box := v.plan.Grid.Core(t.Column, t.Row)
	for _, l := range all {
		err := l.Each(func(_ int, record []byte) error {
			core = append(core, box.Contains(l.Position(las.XYZ(record))))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return core, nil
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

// columns reads files, which have a number of points.
func (v *Survey) columns(all []*las.File, points int) (*host.Columns, error) {
	columns := new(host.Columns)
	for _, l := range all {
		more, err := v.host.Read(l.Path, v.plan.Reads)
		if err != nil {
			return nil, err
		}
		addColumns(columns, more)
	}
	if len(columns.X) != points {
		return nil, fmt.Errorf("%d of %d points were read", len(columns.X), points)
	}
	return columns, nil
}

// addColumns appends the points of another file. Dimensions that one of both lacks are 0 there.
func addColumns(all, more *host.Columns) {
	before, added := len(all.X), len(more.X)
	if all.Dimensions == nil {
		all.Dimensions, all.Reference = map[string][]float64{}, more.Reference
	}
	for name := range more.Dimensions {
		if all.Dimensions[name] == nil {
			all.Dimensions[name] = make([]float64, before)
		}
	}
	for name := range all.Dimensions {
		values := more.Dimensions[name]
		if values == nil {
			values = make([]float64, added)
		}
		all.Dimensions[name] = append(all.Dimensions[name], values...)
	}
	all.X, all.Y, all.Z = append(all.X, more.X...), append(all.Y, more.Y...), append(all.Z, more.Z...)
}

// outputs returns the outputs of the filter for the core, in the order of the plan without the ids.
func (v *Survey) outputs(core []bool, result *filter.Segmentation) (all []any, err error) {
	for _, f := range v.plan.Outputs[v.plan.ids():] {
		values, own := make([]float64, len(core)), []float64(nil)
		if err := result.Output(f.Name, values); err != nil {
			return nil, err
		}
		for i, is := range core {
			if is {
				own = append(own, values[i])
			}
		}
		all = append(all, &own)
	}
	return all, nil
}

// rows returns the layout of rows of outputs, and what writes each output into a row.
func (v *Survey) rows() (l *las.File, put []func(row []byte, v float64), err error) {
	if l, err = las.Rows(v.plan.Outputs); err != nil {
		return nil, nil, err
	}
	for _, f := range v.plan.Outputs {
		if x := l.Find(f.Name); x != nil {
			put = append(put, fieldWriter(f.Type, x.At))
		} else {
			put = append(put, l.Field(f.Name))
		}
	}
	return l, put, nil
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

// fieldWriter returns a function that writes a value of PDAL's type kind at byte at of a record. Integers are limited
// to 64 bits: the largest ones round to a power of two beyond.
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
		var n uint64
		switch {
		case !unsigned && v < math.MaxInt64:
			n = uint64(int64(v))
		case !unsigned:
			n = math.MaxInt64
		case v < math.MaxUint64:
			n = uint64(v)
		default:
			n = math.MaxUint64
		}
		for k := range bits / 8 {
			r[at+k] = byte(n >> (8 * k))
		}
	}
}
