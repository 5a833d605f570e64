// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"

	"superpoint/filter/message"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
)

// write makes the results of sources.
func write(v *folder.Survey, which []int, inputs []job.Pinned, work string) (made []folder.Prepared,
	err error) {
	in := pdalprocess.Process{Folder: work}
	all, err := openSources(v.Host.Context(), v.Plan, in, which, inputs)
	if err != nil {
		return nil, err
	}
	var raw, endings []string
	for i, n := range which {
		raw = append(raw, fmt.Sprintf("all%d.las", n))
		endings = append(endings, sources.Ending(v.Plan.Results[n]))
		sum, err := addOutputs(v, filepath.Join(work, raw[i]), inputs[i].Read, all[i], n)
		if err != nil {
			return nil, err
		}
		made = append(made, &writtenSource{sum: sum})
	}
	packed, err := in.Pack(v.Host.Context(), raw, endings)
	if err != nil {
		return nil, err
	}
	for i, n := range which {
		w := made[i].(*writtenSource)
		w.path = filepath.Join(work, packed[i])
		w.name = v.Plan.Results[n]
		if packed[i] == raw[i] {
			w.name = pdalprocess.UnpackedName(w.name)
		}
		if err := recordProvenance(v, n, w.path); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// writtenSource is the result of a source in a work folder.
type writtenSource struct {
	path string
	name string // in out
	sum  uint32 // of the records
}

// Place implements folder.Prepared.
func (w *writtenSource) Place(v *folder.Survey, n int, m *folder.Mark) error {
	m.Sum = w.sum
	m.Points = v.Plan.Sources[n].Points
	m.File = w.name
	if planned := v.Plan.Results[n]; w.name != planned {
		v.Host.Log(message.Warning, fmt.Sprintf("%s: %s; the result is %s", planned,
			pdalprocess.CannotPack, w.name))
	}
	if err := os.MkdirAll(v.Path("out"), 0o777); err != nil {
		return err
	}
	to, err := v.Output(v.Path("out", w.name))
	if err != nil {
		return err
	}
	if err := to.File(func(temporary string) error {
		return atomicfile.Move(w.path,
			temporary)
	}); err != nil {
		return err
	}
	return v.AddFile(m, to.Path())
}

// addOutputs writes the points l of source n, read from a path, with their outputs, and returns the checksum
// of the records. It fails if they are not the records that cut has read.
func addOutputs(v *folder.Survey, path, source string, l *las.File, n int) (uint32, error) {
	cut, _, err := v.Marks("cut")
	if err != nil {
		return 0, err
	}
	s := &v.Plan.Sources[n]
	head, err := las.Read(source)
	if err != nil {
		return 0, err
	}
	records := uint32(0)
	tiles := v.Plan.TilesOf(n)
	rows := map[int]*labelled{} // by tile
	defer func() {
		for _, r := range rows {
			r.Close()
		}
	}()
	e := las.Edit{Add: v.Plan.Outputs, WKT: v.Plan.SRS, Force: s.SRS != ""}
	if e.Values, err = las.Rows(e.Add); err != nil {
		return 0, err
	}
	sum, _, err := e.Copy(path, head, l, func(record []byte) ([]byte, bool, error) {
		records = las.Sum(records, record)
		column, row := v.Plan.Grid.At(l.Position(las.XYZ(record)))
		t := tiles[[2]int{column, row}]
		if rows[t] == nil {
			if rows[t], err = openRows(v, t, n); err != nil {
				delete(rows, t)
				return nil, false, err
			}
		}
		values, err := rows[t].next()
		return values, true, err
	})
	for _, r := range rows {
		if err == nil && r.sum != r.want {
			err = blocks.Damaged(r.path, blocks.ErrSum)
		}
	}
	if err == nil && records != cut[n].Records {
		err = fmt.Errorf("its points are not those that step cut has read: the file has %w", errChanged)
	}
	return sum, err
}

// labelled are the rows of a source in a tile.
type labelled struct {
	*las.Reader
	path      string
	sum, want uint32 // checksum of the rows that were read, and of all
}

// next returns the next row.
func (l *labelled) next() ([]byte, error) {
	row, err := l.Next()
	if err == nil {
		l.sum = las.Sum(l.sum, row)
	}
	return row, err
}

// openRows opens the rows of tile n at the first of source k. In a tile the points of a source are
// consecutive and have the order of the source, so each tile is read sequentially.
func openRows(v *folder.Survey, n, k int) (*labelled, error) {
	mark, err := v.Mark("label", n)
	if err != nil {
		return nil, err
	}
	ends, err := sourceEnds(v, n)
	if err != nil {
		return nil, err
	}
	l, err := las.Read(v.File("label", n, "las"))
	if err != nil {
		return nil, err
	}
	if all := ends[len(ends)-1].end; all != l.Count {
		return nil, blocks.Damaged(l.Path, fmt.Errorf("%d points instead of %d", l.Count, all))
	}
	first := 0
	for _, e := range ends {
		if e.source < k {
			first = e.end
		}
	}
	r, err := l.From(first)
	if err != nil {
		return nil, err
	}
	return &labelled{Reader: r, path: l.Path, want: mark.Parts[strconv.Itoa(k)]}, nil
}

// recordProvenance writes what made it into result n.
func recordProvenance(v *folder.Survey, n int, path string) error {
	r := job.Record{
		Software: v.Plan.Software,
		Plan:     v.Sum,
		Result:   &n,
		Options:  job.NamesOf(v.Plan.Options, v.Plan.Content),
	}
	return r.Write(path)
}

// inputsOfWrite returns a checksum of the rows of the tiles of source k.
func inputsOfWrite(v *folder.Survey, k int) (string, error) {
	body := []byte(v.Sum)
	for _, n := range v.Plan.TilesTouching(k) {
		m, err := v.Mark("label", n)
		if err != nil {
			return "", err
		}
		body = binary.LittleEndian.AppendUint32(body, m.Sum)
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(body)), nil
}
