// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/testdata/las"
)

// comparison checks the result of a case against its file.
type comparison struct {
	*campaignCase
	result *las.File
	all    bool // writers.las of a pipeline wrote the result, with extra_dims=all
	faults []string
}

func (k *comparison) fault(format string, values ...any) {
	k.faults = append(k.faults, fmt.Sprintf(format, values...))
}

func (k *comparison) compare() {
	f, r := k.file, k.result
	if k.faults = frameFaults(f, r, !k.all); f.Format != r.Format || len(f.Records) != len(r.Records) {
		return
	}
	for i := range f.Records {
		if text := fieldFault(f, r, i, k.target()); text != "" {
			k.fault("%s", text)
		}
		k.class(i)
	}
	for n := range r.Extras {
		e := &r.Extras[n]
		// PDAL 2.2 takes the flags of formats from 6 on for an extra dimension, too, and infrared if no format is given
		own := k.all && (f.Format >= 6 && e.Name == "ClassFlags" || f.Format == 8 && e.Name == "Infrared")
		if f.Extra(e.Name) == nil && !k.writes(e.Name) && !own {
			k.fault("dimension %s comes from nowhere", e.Name)
		}
	}
	for n := range f.Extras {
		k.kept(&f.Extras[n])
	}
	for n := range r.Extras {
		k.added(&r.Extras[n])
	}
	k.dense()
}

// selected reports whether a stage takes a record.
func (k *comparison) selected(i int) bool {
	r := k.file.Records[i]
	return k.where == nil || k.where.selects(k.file, r) || k.second != nil && k.second.selects(k.file, r)
}

// writes reports whether a dimension is an output.
func (k *comparison) writes(name string) bool {
	vote, _ := k.options["vote"].(string)
	learned := k.options["method"] == nil
	n, embedding := strings.CutPrefix(name, "Embedding")
	color := embedding && len(n) == 1 && strings.Contains("RGB", n)
	switch {
	case name == k.ids() || name == k.target() || name == "ClassConfidence" && k.codes != nil:
		return true
	case color:
		return k.options["embedding_color"] == true
	case embedding:
		return learned && k.options["embedding"] != false
	case name == "SuperpointColor":
		return k.options["color"] == true
	}
	return vote != "" && name == "Voted"+vote
}

// class checks classes in a field of all points.
func (k *comparison) class(i int) {
	a, b := k.file.Records[i], k.result.Records[i]
	switch k.target() {
	case "Classification":
		k.classified(i, float64(k.file.Class(a)), float64(k.result.Class(b)))
	case "UserData":
		k.classified(i, float64(a[17]), float64(b[17]))
	}
}

// classified checks a class that was there.
func (k *comparison) classified(i int, before, after float64) {
	noise := before == 7 || before == 18 // which stay
	may := k.selected(i) && !noise &&
		(k.change == nil || slices.Contains(k.change, int(before)) && before == math.Trunc(before))
	if k.withheld(i) && same(before, after) {
		return
	}
	if may = may && !k.keeps(i); may && !k.gives(after) || !may && !same(before, after) {
		k.fault("point %d of class %v, selected: %v, has class %v", i, before, k.selected(i), after)
	}
}

// withheld reports whether a point is marked as withheld, and keeps whether it keeps its
// class for that: formats 0 to 5 have the mark in the class, where old PDAL leaves it.
func (k *comparison) withheld(i int) bool { return k.file.Withheld(k.file.Records[i]) }

func (k *comparison) keeps(i int) bool { return k.file.Format >= 6 && k.withheld(i) }

// gives reports whether the stage may give a class: isolated points get noise.
func (k *comparison) gives(class float64) bool {
	return class == 7 || class == 18 || slices.Contains(k.codes, int(class))
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// kept compares an extra dimension of the input: all of it, or where no output is.
func (k *comparison) kept(e *las.Extra) {
	r := k.result.Extra(e.Name)
	if r == nil {
		k.fault("dimension %s is lost", e.Name)
		return
	}
	output := k.writes(e.Name)
	if !output && !e.Scaled() && (r.Kind != e.Kind || r.Scaled()) {
		k.fault("dimension %s of type %s is %s", e.Name, las.Kinds[e.Kind], las.Kinds[r.Kind])
	}
	for i := range k.file.Records {
		a, b := k.file.Records[i], k.result.Records[i]
		switch {
		case e.Name == k.target():
			before, after := e.Value(a), r.Value(b)
			k.classified(i, before, after)
			if before == after && r.Kind == e.Kind && !bytes.Equal(e.Bits(a), r.Bits(b)) {
				k.fault("class %v of point %d has lost digits", before, i)
			}
		case output && k.selected(i):
		case r.Kind == e.Kind && !e.Scaled() && !bytes.Equal(e.Bits(a), r.Bits(b)),
			!same(e.Value(a), r.Value(b)):
			k.fault("%s (%s) of point %d was %v and is %v", e.Name, las.Kinds[e.Kind], i, e.Value(a), r.Value(b))
		}
	}
}

// added checks the values of outputs.
func (k *comparison) added(e *las.Extra) {
	old := k.file.Extra(e.Name)
	there := old != nil
	if !k.writes(e.Name) || e.Name == k.target() && there {
		return
	}
	for i, b := range k.result.Records {
		v, right := e.Value(b), true
		switch {
		case !k.selected(i):
			right = there || v == 0
		case e.Name == k.target():
			// the second stage finds 0 where the first one, which creates the dimension, has no points
			only := k.where != nil && !k.where.selects(k.file, k.file.Records[i])
			only = only && k.change != nil && !slices.Contains(k.change, 0)
			right = !k.keeps(i) && k.gives(v) || v == 0 && (k.withheld(i) || only)
		case e.Name == k.ids():
			right = v >= 1 && v == math.Trunc(v)
		case e.Name == "SuperpointColor":
			right = v >= 0 && v <= 31
		case e.Name == "ClassConfidence": // points that keep their class keep it
			right = v >= 0 && v <= 1 || there && same(v, old.Value(k.file.Records[i]))
		case strings.HasPrefix(e.Name, "Embedding"):
			right = math.Abs(v) <= 65535
		}
		if !right {
			k.fault("%s of point %d, selected: %v, is %v", e.Name, i, k.selected(i), v)
		}
	}
}

// dense checks that ids are integers without gaps, and that no kept one is given again.
func (k *comparison) dense() {
	e, old := k.result.Extra(k.ids()), k.file.Extra(k.ids())
	if e == nil {
		k.fault("no dimension %s", k.ids())
		return
	}
	kept, given := map[float64]bool{}, map[float64]bool{}
	last := 0.0
	for i, b := range k.result.Records {
		if k.selected(i) {
			given[e.Value(b)] = true
		} else if old != nil {
			kept[e.Value(b)] = true
			last = max(last, math.Floor(e.Value(b)))
		}
	}
	first, _ := k.options["first_id"].(int)
	least := max(1, float64(first), last+1)
	for id := range given {
		if kept[id] || id < least || k.second == nil && id >= least+float64(len(given)) {
			k.fault("id %v of %d that begin at %v", id, len(given), least)
		}
	}
}
