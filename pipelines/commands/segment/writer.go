package segment

import (
	"fmt"
	"path/filepath"
	"slices"
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
	outputsFile   = "outputs.las"   // of the stage
	unpackedFile  = "unpacked.las"  // records of LAZ
	convertedFile = "converted.las" // input of another format
	placedFile    = "placed.las"    // the same, with its coordinates
	resultFile    = "result.las"
)

// outputs returns the dimensions that the stage writes. It fails if it lacks dimensions, or if
// the point format cannot hold the outputs.
func (w *work) outputs(about *pdalprocess.Schema, format int) (all []pdalprocess.Field, err error) {
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
		all = append(all, pdalprocess.Field{Name: o.Name, Type: o.Type})
	}
	return pdalprocess.Widen(all, about.Dimensions), f.CheckFormat(format)
}

// outputsWriter returns the stage that writes the outputs: LAS of the format of the result, coordinates in steps that
// hold any.
func outputsWriter(format int, outputs []pdalprocess.Field) any {
	var extra []pdalprocess.Field
	for _, o := range outputs {
		if !lasformat.Holds(format, o.Name) {
			extra = append(extra, o)
		}
	}
	l := pdalprocess.Writer(outputsFile, format, pdalprocess.ExtraDims(extra))
	delete(l, "forward")
	pdalprocess.Lattice(l, anywhere)
	return l
}

// anywhere is a lattice for files whose coordinates nobody reads.
var anywhere = las.Lattice{Scale: [3]float64{1e6, 1e6, 1e6}} // read only

// isLAS reports whether the input is a LAS or LAZ file that this program can read.
func (w *work) isLAS(about *pdalprocess.Schema) bool {
	return (about.Reader == "readers.las" || about.Reader == "readers.copc") && !strings.Contains(w.input, "://")
}

// source returns the input as a LAS file, and one with its records, which differ if the input is LAZ.
func (w *work) source(from string, about *pdalprocess.Schema) (l, raw *las.File, err error) {
	if !w.isLAS(about) {
		l, err = w.convert(from, about)
		return l, l, err
	}
	if l, err = las.Read(w.input); err != nil {
		return nil, nil, err
	}
	raw, err = w.Unpack(w.host.Context(), l, from, unpackedFile)
	return l, raw, err
}

// fractional are the fields of LAS that hold fractions.
var fractional = []string{"X", "Y", "Z", "GpsTime", "ScanAngleRank"} // read only

// convert writes an input of another format as LAS.
func (w *work) convert(from string, about *pdalprocess.Schema) (*las.File, error) {
	names, ferry := [3]string{"superpoint_x", "superpoint_y", "superpoint_z"}, []string{}
	format, kept := formatOf(about), []pdalprocess.Field{}
	for k, name := range names {
		ferry = append(ferry, string(rune('X'+k))+"=>"+name)
		kept = append(kept, pdalprocess.Field{Name: name, Type: "double"})
	}
	for _, d := range about.Dimensions {
		if d.Type != "float" && d.Type != "double" || !lasformat.Holds(format, d.Name) || slices.Contains(fractional, d.Name) {
			continue
		}
		name := d.Name + "_value"
		ferry = append(ferry, d.Name+"=>"+name)
		kept = append(kept, pdalprocess.Field{Name: name, Type: d.Type})
		w.Warn(fmt.Sprintf("%s is of type %s, which LAS rounds; all of it is in %s", d.Name, d.Type, name))
	}
	l := pdalprocess.Writer(convertedFile, format, extraOf(about, format, kept))
	pdalprocess.Lattice(l, anywhere)
	stages := append(w.reading(from, about),
		map[string]any{"type": "filters.ferry", "dimensions": strings.Join(ferry, ",")}, l)
	if err := w.Pipeline(w.host.Context(), stages); err != nil {
		return nil, err
	}
	converted, err := las.Read(filepath.Join(w.Folder, convertedFile))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(w.Folder, placedFile)
	err = converted.Place(path, names, func(p [][3]float64) (las.Lattice, error) {
		if about.Lattice != nil {
			return *about.Lattice, nil
		}
		reference, err := w.host.Reference(converted.WKT())
		if err != nil {
			return las.Lattice{}, err
		}
		metres, degrees, err := reference.Unit()
		if err != nil {
			return las.Lattice{}, err
		}
		if degrees {
			metres = 1 // of heights
		}
		return las.LatticeFor(p, metres, degrees)
	})
	if err != nil {
		return nil, err
	}
	return las.Read(path)
}

// write writes the records of the input with more columns, which put fills in, and returns the name of the file, which
// is packed if its ending says so and PDAL can.
func (w *work) write(l, raw *las.File, e las.Edit,
	put func(c *las.Edited, i int, record []byte) error) (string, error) {
	e.Modern = sources.IsCOPC(w.output)
	c, err := l.Edit(filepath.Join(w.Folder, resultFile), e)
	if err != nil {
		return "", err
	}
	defer c.Discard()
	err = raw.Each(func(i int, record []byte) error {
		record = c.Record(record)
		if err := put(c, i, record); err != nil {
			return err
		}
		return c.Append(record)
	})
	if err == nil {
		err = c.Close()
	}
	if err != nil {
		return "", err
	}
	name, err := w.Pack(w.host.Context(), resultFile, sources.Ending(w.output))
	return filepath.Join(w.Folder, name), err
}

// join writes the result: the records of the input with the outputs of the stage.
func (w *work) join(l, raw *las.File, outputs []pdalprocess.Field) (string, error) {
	from, err := las.Read(filepath.Join(w.Folder, outputsFile))
	if err != nil {
		return "", err
	}
	if from.Count != raw.Count {
		return "", fmt.Errorf("%d of %d points were written (is the disk full?)", from.Count, raw.Count)
	}
	r, err := from.From(0)
	if err != nil {
		return "", err
	}
	defer r.Close()
	e := las.Edit{WKT: from.WKT(), Force: w.newWKT && from.WKT() != ""}
	var at []*las.Extra
	var fields []string
	for _, o := range outputs {
		if x := from.Find(o.Name); x != nil {
			e.Add, at = append(e.Add, las.Column{Name: o.Name, Type: o.Type}), append(at, x)
		} else {
			fields = append(fields, o.Name)
		}
	}
	return w.write(l, raw, e, func(c *las.Edited, _ int, record []byte) error {
		output, err := r.Next()
		if err != nil {
			return err
		}
		for k, x := range at {
			copy(record[c.At[k]:], output[x.At:x.At+x.Size])
		}
		for _, name := range fields {
			if err := c.SetField(record, name, from, output); err != nil {
				return err
			}
		}
		return nil
	})
}

// formatOf returns the point format of the result: that of the input, or, if it is not LAS, the
// one with all its dimensions.
func formatOf(s *pdalprocess.Schema) int {
	if v, ok := s.Number("dataformat_id"); ok {
		return int(v)
	}
	return lasformat.For(s.Names())
}

// extraOf returns the option extra_dims of the writer: the dimensions that are not in the point
// format, or "all" if a name contains a separator of the option.
func extraOf(s *pdalprocess.Schema, format int, more []pdalprocess.Field) string {
	all := append(slices.Clone(more), s.Dimensions...)
	all = slices.DeleteFunc(all, func(f pdalprocess.Field) bool { return lasformat.Holds(format, f.Name) })
	for _, f := range all {
		if f.Name != strings.TrimSpace(f.Name) || strings.ContainsAny(f.Name, "=,") {
			return "all"
		}
	}
	return pdalprocess.ExtraDims(all)
}

// isUnpacked reports whether a file name is that of uncompressed LAS.
func isUnpacked(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".las") }
