package pdaltest

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
)

// comparison checks the result of a case against its file.
type comparison struct {
	*campaignCase
	result *rawFile
	faults []string
}

func (k *comparison) fault(format string, values ...any) {
	k.faults = append(k.faults, fmt.Sprintf(format, values...))
}

func (k *comparison) all() {
	f, r := k.file, k.result
	if f.format != r.format || f.scale != r.scale || f.offset != r.offset || len(f.records) != len(r.records) {
		k.fault("format %d, scale %v, offset %v, %d points became %d, %v, %v, %d", f.format, f.scale, f.offset,
			len(f.records), r.format, r.scale, r.offset, len(r.records))
		return
	}
	for _, v := range f.variable {
		if !slices.ContainsFunc(r.variable, func(w rawVariable) bool {
			return v.user == w.user && v.id == w.id && bytes.Equal(v.data, w.data)
		}) {
			k.fault("the variable length record %s %d is lost", v.user, v.id)
		}
	}
	for i := range f.records {
		k.fields(i)
		k.class(i)
	}
	for n := range r.extras {
		// PDAL 2.2 takes the flags of the formats from 6 on for an extra dimension, too
		if e := &r.extras[n]; f.extra(e.name) == nil && !k.writes(e.name) && e.name != "ClassFlags" {
			k.fault("dimension %s comes from nowhere", e.name)
		}
	}
	for n := range f.extras {
		k.kept(&f.extras[n])
	}
	for n := range r.extras {
		k.added(&r.extras[n])
	}
	k.dense()
}

// selected reports whether a stage takes a record.
func (k *comparison) selected(i int) bool {
	r := k.file.records[i]
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

// fields compares the fields that all points have, bit by bit, but those for classes.
func (k *comparison) fields(i int) {
	a, b := k.file.records[i][:baseLength(k.file.format)], slices.Clone(k.result.records[i][:baseLength(k.file.format)])
	switch k.target() {
	case "Classification":
		if k.file.format < 6 {
			b[15] = b[15]&^31 | a[15]&31
		} else {
			b[16] = a[16]
		}
	case "UserData":
		b[17] = a[17]
	}
	if !bytes.Equal(a, b) {
		k.fault("point %d was %x and is %x", i, a, b)
	}
}

// class checks classes in a field of all points.
func (k *comparison) class(i int) {
	a, b := k.file.records[i], k.result.records[i]
	switch k.target() {
	case "Classification":
		k.classified(i, float64(k.file.class(a)), float64(k.result.class(b)))
	case "UserData":
		k.classified(i, float64(a[17]), float64(b[17]))
	}
}

// classified checks a class that was there.
func (k *comparison) classified(i int, before, after float64) {
	noise := before == 7 || before == 18 // which stay
	may := k.selected(i) && !noise &&
		(k.change == nil || slices.Contains(k.change, int(before)) && before == math.Trunc(before))
	if may && !k.gives(after) || !may && !same(before, after) {
		k.fault("point %d of class %v, selected: %v, has class %v", i, before, k.selected(i), after)
	}
}

// gives reports whether the stage may give a class: isolated points get noise.
func (k *comparison) gives(class float64) bool {
	return class == 7 || slices.Contains(k.codes, int(class))
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// kept compares an extra dimension of the input: all of it, or where no output is.
func (k *comparison) kept(e *rawExtra) {
	r := k.result.extra(e.name)
	if r == nil {
		k.fault("dimension %s is lost", e.name)
		return
	}
	output := k.writes(e.name)
	if !output && !e.scaled() && (r.kind != e.kind || r.scaled()) {
		k.fault("dimension %s of type %s is %s", e.name, kinds[e.kind], kinds[r.kind])
	}
	for i := range k.file.records {
		a, b := k.file.records[i], k.result.records[i]
		switch {
		case e.name == k.target():
			k.classified(i, e.value(a), r.value(b))
		case output && k.selected(i):
		case r.kind == e.kind && !e.scaled() && !bytes.Equal(e.bits(a), r.bits(b)),
			!same(e.value(a), r.value(b)):
			k.fault("%s (%s) of point %d was %v and is %v", e.name, kinds[e.kind], i, e.value(a), r.value(b))
		}
	}
}

// added checks the values of outputs.
func (k *comparison) added(e *rawExtra) {
	there := k.file.extra(e.name) != nil
	if !k.writes(e.name) || e.name == k.target() && there {
		return
	}
	for i, b := range k.result.records {
		v, right := e.value(b), true
		switch {
		case !k.selected(i):
			right = there || v == 0
		case e.name == k.target():
			// the second stage finds 0 where the first one, which creates the dimension, has no points
			only := k.where != nil && !k.where.selects(k.file, k.file.records[i])
			right = k.gives(v) || v == 0 && only && k.change != nil && !slices.Contains(k.change, 0)
		case e.name == k.ids():
			right = v >= 1 && v == math.Trunc(v)
		case e.name == "SuperpointColor":
			right = v >= 0 && v <= 31
		case strings.HasPrefix(e.name, "Embedding") || e.name == "ClassConfidence":
			right = math.Abs(v) <= 65535
		}
		if !right {
			k.fault("%s of point %d, selected: %v, is %v", e.name, i, k.selected(i), v)
		}
	}
}

// dense checks that ids are whole, without gaps, and that no kept one is given again.
func (k *comparison) dense() {
	e, old := k.result.extra(k.ids()), k.file.extra(k.ids())
	if e == nil {
		k.fault("no dimension %s", k.ids())
		return
	}
	kept, given := map[float64]bool{}, map[float64]bool{}
	last := 0.0
	for i, b := range k.result.records {
		if k.selected(i) {
			given[e.value(b)] = true
		} else if old != nil {
			kept[e.value(b)] = true
			last = max(last, math.Floor(e.value(b)))
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
