// SPDX-License-Identifier: BSD-3-Clause

package las_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"superpoint/pipelines/files/las"
	other "superpoint/testdata/las"
	"superpoint/testdata/must"
)

// lasHead is a LAS 1.4 header of format 6 with one extra dimension.
func lasHead(t *testing.T) []byte {
	path := filepath.Join(t.TempDir(), "head.las")
	f := &other.File{Minor: 4, Format: 6, Scale: [3]float64{0.001, 0.001, 0.001},
		Extras: []other.Extra{{Name: "SuperpointID", Kind: other.Uint32, Scale: 1}}}
	must.OK(t, f.Write(path))
	return must.Get(os.ReadFile(path))(t)
}

func TestRecordsAreCopiedWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.las")
	w := must.Get(las.NewWriter(path, lasHead(t)))(t)
	record := make([]byte, 34)
	for i := range 50000 {
		binary.LittleEndian.PutUint32(record, uint32(i))
		binary.LittleEndian.PutUint32(record[30:], uint32(2*i))
		must.OK(t, w.Append(record))
	}
	must.Fail(os.Stat(path))(t) // the name is free until the file is complete
	must.OK(t, w.Close())
	l, err := las.Read(path)
	must.OK(t, err)
	must.Need(t, l.Count == 50000, "l.Count is %v, want 50000", l.Count)
	must.Need(t, l.Find("SuperpointID").At == 30, `l.Find("SuperpointID").At: want 30`)
	must.OK(t, l.Each(func(i int, r []byte) error {
		must.Need(t, las.XYZ(r)[0] == int32(i), "record %d is %v: las.XYZ(r)[0] is not i", i, r)
		must.Need(t, binary.LittleEndian.Uint32(r[30:]) == uint32(2*i),
			"record %d is %v: binary.LittleEndian.Uint32(r[30:]) is not 2*i", i, r)
		return nil
	}))
	must.OK(t, os.Truncate(path, 100000))
	must.Fail(las.Read(path))(t, "cut short")
	entries, _ := os.ReadDir(filepath.Dir(path))
	must.Hold(t, len(entries) == 1, "left behind: %v", entries)
}

func TestFilesCutShort(t *testing.T) {
	le := binary.LittleEndian
	head := func(minor byte, count uint64) []byte {
		h := lasHead(t)
		h[25] = minor
		le.PutUint32(h[107:], uint32(min(count, math.MaxUint32)))
		le.PutUint64(h[247:], count)
		return h
	}
	// withEVLR has an extended record behind the points, which is none of them.
	withEVLR := func(h []byte) []byte {
		h[243] = 1
		le.PutUint64(h[235:], uint64(len(h)+5*34))
		b := append(h, make([]byte, 5*34+60)...)
		b[len(h)+5*34] = 1
		return b
	}
	// more has a point more than the header counts; what is at a place of the header begins behind those that
	// it counts.
	more := func(h []byte, at int) []byte {
		if at > 0 {
			le.PutUint64(h[at:], uint64(len(h)+5*34))
		}
		return append(h, append(make([]byte, 5*34), bytes.Repeat([]byte{1}, 34)...)...)
	}
	lattice := func(at int, v float64) []byte {
		h := append(head(4, 5), make([]byte, 5*34)...)
		le.PutUint64(h[at:], math.Float64bits(v))
		return h
	}
	folder := t.TempDir()
	for name, c := range map[string]struct {
		bytes []byte
		whole bool
	}{
		"all":           {append(head(4, 5), make([]byte, 5*34)...), true},
		"padded":        {append(head(4, 5), make([]byte, 6*34)...), true},
		"a point more":  {more(head(4, 5), 0), false},
		"of LAS 1.2":    {more(head(2, 5), 0), false},
		"with an EVLR":  {withEVLR(head(4, 5)), true},
		"with waves":    {more(head(3, 5), 227), true},
		"one byte less": {append(head(4, 5), make([]byte, 5*34-1)...), false},
		"LAS 1.2":       {append(head(2, 5), make([]byte, 4*34)...), false},
		"absurd count":  {append(head(4, 1<<63), make([]byte, 5*34)...), false},
		"head only":     {head(4, 1)[:375], false},
		"no points":     {head(4, 0), true},
		"LAZ":           {packed(t, 3, 571, 108), true},
		"cut LAZ":       {packed(t, 3, 571, 101), false},
		"LAZ in a pass": {packed(t, 3, -1, 100), true},
		"LAZ 1.0":       {packed(t, 1, 1<<40, 100), true},
		"head of LAZ":   {packed(t, 3, 571, 0)[:472], false},
		"scale of 0":    {lattice(139, 0), false}, // of Y
		"scale of NaN":  {lattice(147, math.NaN()), false},
		"offset of Inf": {lattice(155, math.Inf(1)), false},
		"negative":      {lattice(131, -1), true},
		"no count":      {append(head(4, 0), make([]byte, 34)...), false},
		"no LAZ count":  {func() []byte { h := packed(t, 3, 0, 200); h[247] = 0; return h }(), false},
	} {
		path := filepath.Join(folder, name)
		must.OK(t, os.WriteFile(path, c.bytes, 0o644))
		_, _, err := las.Points(path)
		must.Hold(t, (err == nil) == c.whole, "%s: %v", name, err)
	}
	_, is, err := las.Points(filepath.Join(folder, "none"))
	must.Hold(t, !is, "a missing file is LAS")
	must.Hold(t, err == nil, "a missing file is LAS: %v", err)
}

func TestWhatMadeAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.las")
	var got string
	must.Hold(t, !las.Made(path, &got), "a file that is not there was made by something")
	w := must.Get(las.NewWriter(path, lasHead(t)))(t)
	for range 100 {
		must.OK(t, w.Append(make([]byte, 34)))
	}
	must.OK(t, w.Close())
	must.Hold(t, !las.Made(path, &got), "a plain file was made by something")
	for _, text := range []string{"first", "second"} { // an earlier record stays, the last one counts
		must.OK(t, las.SetMade(path, text))
		must.Hold(t, las.Made(path, &got), "%q instead of %q: las.Made(path, &got) is false", got, text)
		must.Hold(t, got == text, "%q instead of %q: got is not text", got, text)
	}
	l := must.Get(las.Read(path))(t)
	_, _, err := las.Edit{}.Copy(path+"2", l, l, func([]byte) ([]byte, bool, error) { return nil, true, nil })
	// a copy was not made as its source
	must.OK(t, err)
	must.Equal(t, l.Count, 100, "l.Count")
	must.Hold(t, !las.Made(path+"2", &got), `las.Made(path+"2", &got) is true`)
	whole := must.Get(os.ReadFile(path))(t)
	must.OK(t, os.WriteFile(path, whole[:len(whole)-1], 0o666))
	must.Hold(t, !las.Made(path, &got), "a file that was cut short was made by %q", got)
	must.OK(t, os.WriteFile(path, bytes.Repeat([]byte("x"), 500), 0o666))
	must.Hold(t, !las.Made(path, &got), "what is no LAS 1.4 takes a record: las.Made(path, &got) is true")
	must.Hold(t, las.SetMade(path, nil) != nil,
		"what is no LAS 1.4 takes a record: no error of las.SetMade(path, nil)")
}

// TestExtraBytes: places of undocumented bytes, of an array of 2 uint16 (type 13), of 3 int16 (24) and of a
// double, and bytes without a description.
func TestExtraBytes(t *testing.T) {
	head := lasHead(t)
	one := bytes.Clone(head[375+54:])
	head = head[:375+54]
	binary.LittleEndian.PutUint16(head[375+20:], 4*192)
	binary.LittleEndian.PutUint16(head[105:], 30+5+4+6+8+2)
	binary.LittleEndian.PutUint32(head[96:], 375+54+4*192)
	for k, kind := range []byte{0, 13, 24, 10} {
		one[2], one[3] = kind, 5 // bytes, of type 0
		clear(one[4:36])
		one[4] = 'a' + byte(k)
		head = append(head, one...)
	}
	path := filepath.Join(t.TempDir(), "a.las")
	must.OK(t, os.WriteFile(path, head, 0o644))
	extended := bytes.Clone(head[:375]) // the same description behind the points
	binary.LittleEndian.PutUint32(extended[96:], 375)
	binary.LittleEndian.PutUint32(extended[100:], 0)
	binary.LittleEndian.PutUint64(extended[235:], 375)
	binary.LittleEndian.PutUint32(extended[243:], 1)
	extended = append(append(extended, head[375:375+20]...), 0, 3, 0, 0, 0, 0, 0, 0) // 768 bytes
	must.OK(t, os.WriteFile(path+"2", append(append(extended, make([]byte, 32)...), head[375+54:]...), 0o644))
	for _, name := range []string{path, path + "2"} {
		got := ""
		for _, e := range must.Get(las.Read(name))(t).Extra {
			got += fmt.Sprint(e.Name, " ", e.At, "+", e.Size, "; ")
		}
		must.Equal(t, got, "a 30+5; b 35+4; c 39+6; d 45+8; undescribed1 53+2; ", "extra dimensions")
	}
	binary.LittleEndian.PutUint16(head[105:], 30+5+4+6+8-1)
	must.OK(t, os.WriteFile(path, head, 0o644))
	must.Fail(las.Read(path))(t, "of records of 52")
	binary.LittleEndian.PutUint16(head[94:], 227) // a header of LAS 1.3, and points within that of 1.4
	binary.LittleEndian.PutUint32(head[96:], 374)
	must.OK(t, os.WriteFile(path, head, 0o644))
	must.Fail(las.Read(path))(t, "from byte 374")
}
