package batch

import (
	"slices"
	"strings"

	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/records"
	"superpoint/pipelines/files/child"
	"superpoint/pipelines/files/sources"
)

// lasWriter returns a stage that writes LAS, LAZ or COPC with all dimensions of a cloud.
type lasWriter func(path string) map[string]any

// writer returns the writer for a cloud, and the name of the file that it writes, which pack may
// compress.
func (w *work) writer(about *child.Schema) (l lasWriter, raw string, err error) {
	format := formatOf(about)
	outputs, err := w.outputs(about, format)
	if err != nil {
		return nil, "", err
	}
	l = w.lasWriter(about, outputs)
	switch {
	case isUnpacked(w.output):
		return l, "output.las", nil
	case sources.IsCOPC(w.output):
		return l, "output" + sources.COPC, nil
	case format >= 6:
		can, err := w.canPackClasses()
		if err != nil || can {
			return l, "output.laz", err
		}
		return l, "output.las", nil // is packed afterwards, as far as that can be done
	}
	return l, "output.laz", nil
}

// lasWriter returns the writer of a LAS file with all dimensions of a cloud and more fields.
func (w *work) lasWriter(about *child.Schema, more []child.Field) lasWriter {
	format := formatOf(about)
	return func(path string) map[string]any {
		l := child.Writer(path, format, extraOf(about, format, more))
		if _, forwarded := about.Number("scale_x"); !forwarded {
			scale := scaleOf(about, w.SRS)
			for _, axis := range []string{"x", "y", "z"} {
				l["scale_"+axis], l["offset_"+axis] = scale, "auto"
			}
		}
		return l
	}
}

// outputs returns the dimensions that the stage writes. It fails if it lacks dimensions, or if
// the point format cannot hold the outputs.
func (w *work) outputs(about *child.Schema, format int) (all []child.Field, err error) {
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
		all = append(all, child.Field{Name: o.Name, Type: o.Type})
	}
	return child.Widen(all, about.Dimensions), f.CheckFormat(format)
}

// formatOf returns the point format of the result: that of the input, or, if it is not LAS, the
// one with all its dimensions.
func formatOf(s *child.Schema) int {
	if v, ok := s.Number("dataformat_id"); ok {
		return int(v)
	}
	return records.FormatFor(s.Names())
}

// extraOf returns the option extra_dims of the writer: the dimensions that are not in the point
// format, or "all" if a name contains a separator of the option.
func extraOf(s *child.Schema, format int, outputs []child.Field) string {
	all := slices.Clone(outputs)
	for _, d := range s.Dimensions {
		if !slices.ContainsFunc(outputs, func(o child.Field) bool { return o.Name == d.Name }) {
			all = append(all, d)
		}
	}
	all = slices.DeleteFunc(all, func(f child.Field) bool { return records.Holds(format, f.Name) })
	for _, f := range all {
		if f.Name != strings.TrimSpace(f.Name) || strings.ContainsAny(f.Name, "=,") {
			return "all"
		}
	}
	return child.ExtraDims(all)
}

// scaleOf returns the scale of coordinates of a file without one: a millimetre, or "auto" if the
// unit is not known to be a length.
func scaleOf(s *child.Schema, srs string) any {
	reference, _ := s.Metadata["srs"].(map[string]any)
	wkt, _ := reference["wkt"].(string)
	if _, geographic, err := (georef.Reference{WKT: wkt}).Unit(); wkt == "" && srs != "" || geographic || err != nil {
		return "auto"
	}
	return 0.001
}

// isUnpacked reports whether a file name is that of uncompressed LAS.
func isUnpacked(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".las") }
