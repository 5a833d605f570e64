package survey

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/lasformat"
	"superpoint/filter/message"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
)

// commonLayout returns a layout with all dimensions of all sources, the finest scale and the
// first source's offset. It warns if coordinates of a source will be rounded.
func commonLayout(all []*inspected, outputs []pdalprocess.Field, warn func(string)) layout {
	l := layout{Format: all[0].format, Scale: all[0].scale, Offset: all[0].offset}
	for _, s := range all {
		if slices.Compare([]int{s.created[1], s.created[0]}, []int{l.Created[1], l.Created[0]}) > 0 {
			l.Created = s.created
		}
		if s.format != l.Format {
			l.Format = -1
		}
		for k := range l.Scale {
			l.Scale[k] = min(l.Scale[k], s.scale[k])
		}
		for _, d := range s.dimensions {
			at := slices.IndexFunc(l.Extra, func(f pdalprocess.Field) bool { return f.Name == d.Name })
			own := slices.ContainsFunc(outputs, func(f pdalprocess.Field) bool { return f.Name == d.Name })
			switch {
			case slices.Contains(lasformat.Fields(), d.Name) || own:
			case at < 0:
				l.Extra = append(l.Extra, d)
			case l.Extra[at].Type != d.Type:
				l.Extra[at].Type = "double"
			}
		}
	}
	if l.Format < 0 {
		var names []string
		for _, s := range all {
			for _, d := range s.dimensions {
				names = append(names, d.Name)
			}
		}
		l.Format = lasformat.For(names)
	}
	for _, s := range all {
		for k := range l.Scale {
			if !multiple(s.scale[k], l.Scale[k]) || !multiple(s.offset[k]-l.Offset[k], l.Scale[k]) {
				warn(fmt.Sprintf("%s has scale %v and offset %v, not fitting scale %v and offset %v of the survey: "+
					"superpoints are those of coordinates rounded to the latter, which tiles have, too", s.Path, s.scale[k],
					s.offset[k], l.Scale[k], l.Offset[k]))
				break
			}
		}
	}
	return l
}

// multiple reports whether v is an integer multiple of step, to a millionth of step.
func multiple(v, step float64) bool {
	n := v / step
	return math.Abs(n-math.Round(n)) < 1e-6*math.Max(1, math.Abs(n)*1e-6)
}

// compatible fails if sources cannot be one cloud: if two have the same content, different
// time systems or different spatial references.
func compatible(h host.Host, all []*inspected) error {
	path, timed := map[string]string{}, all[0]
	for _, s := range all {
		if other, twice := path[s.Content]; twice {
			return fmt.Errorf("%s and %s have the same points; leave one of them out", other, s.Path)
		}
		path[s.Content] = s.Path
		switch {
		case timed.gps == "":
			timed = s
		case s.gps != "" && s.gps != timed.gps:
			return fmt.Errorf("%s has %s and %s has %s; convert one of them (filters.gpstimeconvert)", timed.Path, timed.gps,
				s.Path, s.gps)
		}
	}
	return sameReference(h, all)
}

// sameReference fails if spatial references differ, cannot be used, or are geographic.
func sameReference(h host.Host, all []*inspected) error {
	for _, s := range all {
		_, geographic, err := s.reference.Unit()
		same, also := h.Same(s.reference, all[0].reference)
		switch {
		case cmp.Or(err, also) != nil:
			return message.File(s.Path, cmp.Or(err, also))
		case geographic:
			return fmt.Errorf("%s is in degrees, and tiles are squares of metres; reproject the files "+
				"(filters.reprojection)", s.Path)
		case !same:
			return fmt.Errorf("%s and %s have different spatial references; reproject one of them, or set a missing one with "+
				"%s", all[0].Path, s.Path, georef.Default)
		}
	}
	return nil
}

// available returns the dimensions that all sources have, and the dimension of classes if
// any source has it; it is 0 in the others.
func available(all []*inspected, classes string) (names []string) {
	count := map[string]int{}
	for _, s := range all {
		for _, d := range s.dimensions {
			count[d.Name]++
			if (count[d.Name] == len(all) || d.Name == classes) && !slices.Contains(names, d.Name) {
				names = append(names, d.Name)
			}
		}
	}
	return names
}

// writer returns a writer of LAS, LAZ or COPC for files of the layout.
func (l *layout) writer(path, extra string) map[string]any {
	w := pdalprocess.Writer(path, l.Format, extra)
	pdalprocess.Lattice(w, las.Lattice{Scale: l.Scale, Offset: l.Offset})
	return w
}
