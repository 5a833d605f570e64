// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter"
	"superpoint/filter/lasformat"
	"superpoint/filter/option"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// Results are the records of the input with more dimensions, so that nothing of it is decoded and encoded
// again. PDAL runs the stage, whose outputs alone it writes, and packs and unpacks.

// dimensions returns the dimensions that the stage reads and writes. It fails if it lacks dimensions, or if
// the point format cannot hold the outputs.
func (w *work) dimensions(about *pdalprocess.Schema) (inputs []filter.Dimension,
	outputs []las.Column, err error) {
	options, err := option.OptionsOf(w.Options)
	if err != nil {
		return nil, nil, err
	}
	f, err := filter.New(options, func(int, string) {})
	if err != nil {
		return nil, nil, err
	}
	d, err := f.Describe(about.Names())
	if err != nil {
		return nil, nil, err
	}
	for _, o := range d.Outputs {
		outputs = append(outputs, las.Column{Name: o.Name, Type: o.Type})
	}
	return append(d.Required, d.Optional...), pdalprocess.Widen(outputs, about.Dimensions), f.CheckFormat(
		about.Format())
}

// outputsWriter returns the stage that writes the outputs: LAS of the smallest format with classes as in that
// of the result, coordinates in steps that hold any.
func outputsWriter(format int, outputs []las.Column) pdalprocess.Stage {
	var extra []las.Column
	format -= format % 6 // formats from 6 on have more classes
	for _, o := range outputs {
		if !lasformat.Holds(format, o.Name) {
			extra = append(extra, o)
		}
	}
	l := pdalprocess.Writer(columnsName, format, pdalprocess.ExtraDims(extra))
	delete(l, "forward")
	pdalprocess.Lattice(l, pdalprocess.Anywhere())
	return l
}

// isLAS reports whether the input is a LAS or LAZ file that this program can read.
func (w *work) isLAS(about *pdalprocess.Schema) bool {
	return (about.Reader == "readers.las" || about.Reader == "readers.copc") &&
		!strings.Contains(w.input, "://")
}

// open returns the input as a LAS file: header and variable length records, and one with the records, which
// PDAL can read.
func (w *work) open(from string, about *pdalprocess.Schema) (l, records *las.File, err error) {
	if !w.isLAS(about) {
		l, err = w.Convert(w.host, about, w.reading(from, about))
		return l, l, err
	}
	if l, err = las.Read(w.input); err == nil {
		var all []*las.File
		if all, err = w.Unpack(w.host.Context(), from); err == nil {
			records = all[0]
		}
	}
	return l, records, err
}

// direct returns the header of a LAS input, and the stages that read it and write the result itself, where
// PDAL unpacks or packs the records anyway: other processes that decode and encode them again took a fifth of
// the time of a large LAZ file. Extra bytes go through PDAL as they are, so the stage does not see their
// dimensions. There are no stages if it has to, if an output replaces a dimension or shares a byte with
// flags, if the result has another point format, or after PDAL refused to pack a result, which costs the
// stage a second run.
func (w *work) direct(from string, about *pdalprocess.Schema, inputs []filter.Dimension,
	outputs []las.Column) (
	l *las.File, reader, writer pdalprocess.Stage, err error) {
	if !w.isLAS(about) {
		return nil, nil, nil, nil
	}
	if l, err = las.Read(w.input); err != nil {
		return nil, nil, nil, err
	}
	old, packs := l.Format() < 6, !isUnpacked(w.output)
	if packs && w.refused.Load() || !packs && !l.Packed() || old && sources.IsCOPC(w.output) ||
		l.ExtraBytes() > 0 && w.Where != "" {
		return nil, nil, nil, nil
	}
	for _, i := range inputs {
		if !lasformat.Holds(l.Format(), i.Name) {
			return nil, nil, nil, nil
		}
	}
	var more []las.Column
	for _, o := range outputs {
		switch held := lasformat.Holds(l.Format(), o.Name); {
		case held && old, !held && slices.Contains(about.Names(), o.Name), l.Find(o.Name) != nil,
			strings.HasPrefix(o.Name, pdalprocess.OpaquePrefix):
			return nil, nil, nil, nil
		case !held:
			more = append(more, o)
		}
	}
	reader = pdalprocess.RawReader(from, l)
	if w.override != "" {
		reader["override_srs"] = w.override
	}
	writer, err = pdalprocess.RawWriter(l, "made"+strings.ToLower(sources.Ending(w.output)), more...)
	return l, reader, writer, err
}

// restore gives a result that PDAL wrote the header and the variable length records of the input, and returns
// its path.
func (w *work) restore(l, made *las.File, outputs []las.Column) (string, error) {
	h, err := w.edit(made, outputs).Outline(l, made)
	if err != nil {
		return "", err
	}
	w.warnOfBounds(l, made)
	return made.Path, h.Restore(made.Path)
}

// edit returns what the result has more than the input; made is a file that PDAL wrote.
func (w *work) edit(made *las.File, outputs []las.Column) las.Edit {
	return las.Edit{Add: outputs, WKT: made.WKT(), Force: w.newWKT && made.WKT() != ""}
}

// warnOfBounds warns of points outside the bounds in the header of the input. LAZ has no checksums, so PDAL
// may read damaged points without an error.
func (w *work) warnOfBounds(l, made *las.File) {
	least, most := l.Bounds()
	from, to := made.Bounds()
	if made.Count == 0 {
		return
	}
	for k, axis := range []string{"X", "Y", "Z"} {
		extent := most[k] - least[k]
		rounding := 10*math.Abs(l.Scale[k]) + extent/100 // by other programs
		if extent > 0 && (from[k] < least[k]-rounding || to[k] > most[k]+rounding) {
			w.Warn(
				fmt.Sprintf(
					"points have %s from %g to %g, and the header says %g to %g: they are damaged, or the "+
						"header is wrong; look at the points, and copy or download the file again", axis,
					from[k], to[k],
					least[k], most[k]))
			return
		}
	}
}

// join writes the result: the records of the input with the outputs of the stage. It is packed if the ending
// of the output says so and PDAL can.
func (w *work) join(l, records, values *las.File, outputs []las.Column) (string, error) {
	if values.Count != records.Count {
		return "", fmt.Errorf("%d of %d points were written (is the disk full?)", values.Count, records.Count)
	}
	r, err := values.From(0)
	if err != nil {
		return "", err
	}
	defer r.Close()
	const result = "result.las"
	e := w.edit(values, outputs)
	e.Values, e.Modern = values, sources.IsCOPC(w.output)
	_, _, err = e.Copy(filepath.Join(w.Folder, result), l, records,
		func([]byte) (row []byte, keep bool, err error) {
			row, err = r.Next()
			return row, true, err
		})
	if err != nil {
		return "", err
	}
	if made, err := las.Read(filepath.Join(w.Folder, result)); err == nil && l.Path == w.input {
		w.warnOfBounds(l, made)
	}
	made, err := w.Pack(w.host.Context(), []string{result}, []string{sources.Ending(w.output)})
	if err != nil {
		return "", err
	}
	return filepath.Join(w.Folder, made[0]), nil
}

// isUnpacked reports whether a file name has the ending of uncompressed LAS.
func isUnpacked(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".las") }
