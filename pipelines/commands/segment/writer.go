// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"superpoint/filter"
	"superpoint/filter/lasformat"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// Results are the records of the input with more dimensions, so that nothing of it is decoded and encoded again. PDAL
// runs the stage, whose outputs alone it writes, and packs and unpacks.

// Names of files in the working folder.
const (
	unpackedFile = "unpacked.las" // the input, if it is LAZ
	outputsFile  = "outputs.las"  // of the stage
)

// outputs returns the dimensions that the stage writes. It fails if it lacks dimensions, or if
// the point format cannot hold the outputs.
func (w *work) outputs(about *pdalprocess.Schema, format int) (all []las.Column, err error) {
	options, err := filter.OptionsOf(w.Options)
	if err != nil {
		return nil, err
	}
	f, err := filter.New(options, func(int, string) {})
	if err != nil {
		return nil, err
	}
	d, err := f.Describe(about.Names())
	if err != nil {
		return nil, err
	}
	for _, o := range d.Outputs {
		all = append(all, las.Column{Name: o.Name, Type: o.Type})
	}
	return pdalprocess.Widen(all, about.Dimensions), f.CheckFormat(format)
}

// outputsWriter returns the stage that writes the outputs: LAS of the smallest format with classes as in that of the
// result, coordinates in steps that hold any.
func outputsWriter(format int, outputs []las.Column) pdalprocess.Stage {
	var extra []las.Column
	format -= format % 6 // formats from 6 on have more classes
	for _, o := range outputs {
		if !lasformat.Holds(format, o.Name) {
			extra = append(extra, o)
		}
	}
	l := pdalprocess.Writer(outputsFile, format, pdalprocess.ExtraDims(extra))
	delete(l, "forward")
	pdalprocess.Lattice(l, pdalprocess.Anywhere())
	return l
}

// isLAS reports whether the input is a LAS or LAZ file that this program can read.
func (w *work) isLAS(about *pdalprocess.Schema) bool {
	return (about.Reader == "readers.las" || about.Reader == "readers.copc") && !strings.Contains(w.input, "://")
}

// open returns the input as a LAS file: header and variable length records, and one with the records, which PDAL can
// read.
func (w *work) open(from string, about *pdalprocess.Schema) (l, records *las.File, err error) {
	if !w.isLAS(about) {
		l, err = w.Convert(w.host, about, w.reading(from, about))
		return l, l, err
	}
	if l, err = pdalprocess.Header(w.input); err == nil {
		records, err = w.Unpack(w.host.Context(), from, unpackedFile)
	}
	w.newWKT = w.newWKT || err == nil && l.Path != w.input // of an EPT: its tiles may have another, or none
	return l, records, err
}

// unpacking is open, but for a LAZ file, which the pipeline of the stage reads, it returns the stage that writes the
// records, and no file with them.
func (w *work) unpacking(from string, about *pdalprocess.Schema) (s []pdalprocess.Stage, l, records *las.File,
	err error) {
	if w.isLAS(about) {
		if s, err = w.Unpacking(from, unpackedFile); err != nil {
			return nil, nil, nil, err
		}
	}
	if s == nil {
		l, records, err = w.open(from, about)
	} else {
		l, err = pdalprocess.Header(w.input)
	}
	return s, l, records, err
}

// write writes the records of the input with values that next returns for each, and returns the name of the file, which
// is packed if its ending says so and PDAL can.
func (w *work) write(l, records *las.File, e las.Edit, next func() ([]byte, error)) (string, error) {
	const result = "result.las"
	e.Modern = sources.IsCOPC(w.output)
	_, _, err := e.Copy(filepath.Join(w.Folder, result), next, las.Part{File: l, Records: records})
	if err != nil {
		return "", err
	}
	if made, err := las.Read(filepath.Join(w.Folder, result)); err == nil && l.Path == w.input && made.Count > 0 {
		w.warnOfBounds(l, made)
	}
	name, err := w.Pack(w.host.Context(), result, sources.Ending(w.output))
	return filepath.Join(w.Folder, name), err
}

// warnOfBounds warns of points outside the bounds in the header of the input. LAZ has no checksums, so PDAL may read
// damaged points without an error.
func (w *work) warnOfBounds(l, made *las.File) {
	least, most := l.Bounds()
	from, to := made.Bounds()
	for k, axis := range []string{"X", "Y", "Z"} {
		extent := most[k] - least[k]
		rounding := 10*math.Abs(l.Scale[k]) + extent/100 // by other programs
		if extent > 0 && (from[k] < least[k]-rounding || to[k] > most[k]+rounding) {
			w.Warn(fmt.Sprintf("points have %s from %g to %g, and the header says %g to %g: they are damaged, or the header "+
				"is wrong; look at the points, and copy or download the file again", axis, from[k], to[k], least[k], most[k]))
			return
		}
	}
}

// join writes the result: the records of the input with the outputs of the stage.
func (w *work) join(l, records *las.File, outputs []las.Column) (string, error) {
	from, err := las.Read(filepath.Join(w.Folder, outputsFile))
	if err != nil {
		return "", err
	}
	if from.Count != records.Count {
		return "", fmt.Errorf("%d of %d points were written (is the disk full?)", from.Count, records.Count)
	}
	r, err := from.From(0)
	if err != nil {
		return "", err
	}
	defer r.Close()
	e := las.Edit{Add: outputs, Values: from, WKT: from.WKT(), Force: w.newWKT && from.WKT() != ""}
	return w.write(l, records, e, r.Next)
}

// isUnpacked reports whether a file name is that of uncompressed LAS.
func isUnpacked(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".las") }
