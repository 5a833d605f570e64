// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"superpoint/testdata/heights"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

var le = binary.LittleEndian

// The campaign: random files × random options and commands, checked record by record. SUPERPOINT_CASES=2000
// runs more than the everyday 100, SUPERPOINT_SEED=7 others, and SUPERPOINT_KEEP=/folder keeps their files.

// campaignCase is a file and what is done with it.
type campaignCase struct {
	random  *rand.Rand
	folder  string
	file    *las.File
	command string // segment, stage, two stages, survey, or one of otherCommands
	other   bool   // it is one of otherCommands
	packed  bool   // the result is LAZ, if that can be
	options stage
	// type of the dimensions that classes and ids go to, which are there; −1 = any, or none
	guess  int
	where  *condition // nil = all points
	second *condition // of the second stage

	codes  []int // that the classifier gives; nil = no classes
	change []int // classes that may change; nil = all
}

// condition is an expression of `where` that the campaign evaluates, too.
type condition struct {
	Field     string
	Low, High int
}

// expression returns it in PDAL's words.
func (c *condition) expression() string {
	return fmt.Sprintf("%s >= %d && %s <= %d", c.Field, c.Low, c.Field, c.High)
}

// selects reports whether a record passes.
func (c *condition) selects(f *las.File, r []byte) bool {
	v := map[string]int{
		"Intensity": int(le.Uint16(r[12:])), "UserData": int(r[17]), "ReturnNumber": int(r[14] & 15),
	}[c.Field]
	if f.Format < 6 && c.Field == "ReturnNumber" {
		v &= 7
	}
	return c.Low <= v && v <= c.High
}

// String returns the case as JSON.
func (c *campaignCase) String() string {
	text, err := json.Marshal(map[string]any{"command": c.command, "format": c.file.Format,
		"options": c.options,
		"where":   c.where, "second": c.second, "codes": c.codes, "change": c.change, "folder": c.folder})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// randomCondition chooses a range of a field that the case does not write.
func (c *campaignCase) randomCondition() *condition {
	fields, most := []string{"Intensity", "ReturnNumber", "UserData"}, []int{65535, 7, 255}
	k := c.random.IntN(3)
	if c.target() == fields[k] {
		k = 0
	}
	low := c.random.IntN(most[k])
	return &condition{fields[k], low, low + c.random.IntN(most[k]+1-low)}
}

// TestCampaign runs random cases.
func TestCampaign(t *testing.T) {
	t.Parallel()
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return otherwise
	}
	seed, cases := number("SUPERPOINT_SEED", 1), number("SUPERPOINT_CASES", 100)
	var refused, segmented, points atomic.Int64
	t.Run("cases", func(t *testing.T) {
		for k := range cases {
			t.Run(fmt.Sprint(seed, "-", k), func(t *testing.T) {
				t.Parallel()
				c := randomCase(t, uint64(seed), k)
				if c.run(t) {
					segmented.Add(1)
					points.Add(int64(len(c.file.Records)))
				} else {
					refused.Add(1)
				}
			})
		}
	})
	t.Logf("%d cases: %d results of %d points, %d refused", cases, segmented.Load(), points.Load(),
		refused.Load())
	must.Hold(t, segmented.Load() >= int64(cases)/2,
		"too few of one outcome: segmented.Load() is %v, want at least %v", segmented.Load(), int64(cases)/2)
	if cases >= 60 {
		must.Hold(t, refused.Load() != 0, "too few of one outcome: refused.Load() is 0")
	}
}

// randomCase makes the k-th case of a seed; the first have all point formats, then come classes and ids in
// dimensions of each type that the file has already, where a class that stays keeps all of its bits.
func randomCase(t *testing.T, seed uint64, k int) *campaignCase {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, uint64(k)))
	c := &campaignCase{random: random, folder: t.TempDir()}
	if keep := os.Getenv("SUPERPOINT_KEEP"); keep != "" {
		c.folder = filepath.Join(keep, fmt.Sprint(seed, "-", k))
		must.OK(t, os.MkdirAll(c.folder, 0o777))
	}
	c.command = []string{"segment", "segment", "segment", "stage", "stage", "two stages"}[random.IntN(6)]
	if k%20 == 19 { // takes ten times as long
		c.command = "survey"
	}
	if others := slices.Sorted(maps.Keys(otherCommands())); k > 30 && k%2 == 1 {
		c.command = others[(k/2)%len(others)]
	}
	format := []int{0, 1, 2, 3, 6, 7, 8}[random.IntN(7)]
	if k <= 10 {
		format = k
	}
	if c.guess = k - 20; c.guess >= 0 && c.guess < len(las.Kinds) {
		c.command = []string{"stage", "segment", "stage", "survey"}[k%4]
	} else {
		c.guess = -1
	}
	_, c.other = otherCommands()[c.command]
	c.file = randomFile(random, format, c.guess, !strings.Contains(c.command, "stage"))
	if c.packed = c.command == "segment" && random.IntN(3) == 0; !c.other {
		c.randomOptions(t)
	}
	return c
}

// randomOptions chooses options of the stage, and what is selected.
func (c *campaignCase) randomOptions(t *testing.T) {
	random, chance := c.random, func(n int) bool { return c.random.IntN(n) == 0 }
	c.options = stage{"regularization": []float64{0.05, 0.5, 3}[random.IntN(3)]}
	switch k := random.IntN(8); {
	case k == 0 && c.command != "survey" && c.guess < 0:
		c.options["method"], c.options["seed_resolution"], c.options["voxel_resolution"] = "vccs", 4, 1
		delete(c.options, "regularization")
	case k == 1:
		c.options["model"] = "any"
	default:
		c.options["model"] = "geometric"
	}
	if chance(3) && c.options["method"] == nil {
		c.options["embedding"] = false
	}
	if chance(4) && c.command != "survey" { // which refuses what needs all points at once
		c.options["color"] = true
	}
	if chance(4) && c.options["method"] == nil {
		c.options["embedding_color"] = true
	}
	if chance(4) && c.guess < 0 {
		c.options["dimension"] = []string{"ClusterID", "Of_Mine"}[random.IntN(2)]
	}
	switch {
	case c.command == "survey":
	case c.guess >= 0:
		c.options["first_id"] = 1 << 24 // beyond what a float holds
	case chance(5):
		c.options["first_id"] = 1 + random.IntN(1000)
	}
	switch {
	case c.guess >= 0:
		c.codes, c.change = []int{2, 200}, []int{0, 1}
		c.options["classes"], c.options["class_dimension"] = heights.FileOf(t, 2, 200), "Guess"
	case c.options["method"] == nil && chance(2):
		c.randomClasses(t)
	}
	if c.codes == nil && chance(4) && c.command != "survey" {
		c.options["vote"] = []string{"Classification", "UserData", "PointSourceId"}[random.IntN(3)]
	}
	if c.command != "survey" && chance(2) || c.command == "two stages" {
		c.where = c.randomCondition()
	}
	if c.command == "two stages" {
		c.second = c.randomCondition()
	}
}

func (c *campaignCase) randomClasses(t *testing.T) {
	random := c.random
	c.codes = [][]int{{2, 6}, {2, 64}, {5, 200}, {0, 31}}[random.IntN(4)]
	c.options["classes"] = heights.FileOf(t, c.codes[0], c.codes[1])
	c.change = []int{0, 1}
	switch random.IntN(3) {
	case 0:
		c.change, c.options["class_change"] = nil, "all"
	case 1:
		c.change, c.options["class_change"] = []int{2, 7, 31}, "2,7,31"
	}
	if target := []string{"", "UserData", "Guess", "Class_of_mine"}[random.IntN(4)]; target != "" {
		c.options["class_dimension"] = target
	} else if c.file.Format < 6 && strings.Contains(c.command, "stage") {
		c.codes = []int{2, 6} // the stage only warns of greater ones: it does not know the writer
		c.options["classes"] = heights.File(t)
	}
}

// ids returns the dimension of ids.
func (c *campaignCase) ids() string { return c.named("dimension", "SuperpointID") }

// target returns the dimension of classes, or "".
func (c *campaignCase) target() string {
	if c.codes == nil {
		return ""
	}
	return c.named("class_dimension", "Classification")
}

func (c *campaignCase) named(option, otherwise string) string {
	if name, given := c.options[option].(string); given {
		return name
	}
	return otherwise
}

// refusal returns words of the error that the case has to end with, or "".
func (c *campaignCase) refusal() string {
	f := c.file
	switch {
	case slices.Contains([]int{4, 5, 9, 10}, f.Format):
		return "format"
	case c.target() == "Classification" && f.Format < 6 && slices.Max(c.codes) > 31:
		return "point format"
	}
	return ""
}

// run runs the case and checks the results; it reports false if the case was refused, as it has to be.
func (c *campaignCase) run(t *testing.T) bool {
	t.Helper()
	in, out := filepath.Join(c.folder, "in.las"), filepath.Join(c.folder, "out.las")
	must.OK(t, c.file.Write(in))
	if c.packed {
		out = filepath.Join(c.folder, "out.laz")
	}
	t.Log(c.String())
	if c.other {
		c.file = must.Get(las.Read(in))(t)
		otherCommands()[c.command](c, t, in)
		return true
	}
	o := c.execute(t, in, out)
	if want := c.refusal(); want != "" {
		must.Hold(t, o.code == 1, "exit code %d, want 1: %s", o.code, o.stderr)
		must.Say(t, o.stderr, want)
		left, _ := filepath.Glob(filepath.Join(c.folder, "out*"))
		if len(left) != 0 {
			must.Equal(t, c.command, "survey", "left: c.command")
		}
		return false
	}
	must.Need(t, o.code == 0, "exit code %d\n%s", o.code, o.stderr)
	if _, err := os.Stat(out); c.packed && err != nil { // which PDAL 2.2 cannot always write
		out = filepath.Join(c.folder, "out.las")
	}
	if c.command == "survey" {
		named, _ := filepath.Glob(filepath.Join(c.folder, "survey", "out", "in.la[sz]"))
		out = strings.Join(named, " ")
	}
	k := &comparison{campaignCase: c, result: readAny(t, out), all: strings.Contains(c.command, "stage")}
	k.compare()
	must.Equal(t, len(k.faults), 0, "faults, the first:\n%s",
		strings.Join(k.faults[:min(8, len(k.faults))], "\n"))
	return true
}

// execute runs the command.
func (c *campaignCase) execute(t *testing.T, in, out string) outcome {
	t.Helper()
	var args []string
	for _, name := range slices.Sorted(maps.Keys(c.options)) {
		args = append(args, "--"+name, fmt.Sprint(c.options[name]))
	}
	if c.command == "segment" {
		if c.where != nil {
			args = append(args, "--where", c.where.expression())
		}
		return try(t, append(append([]string{"segment"}, args...), in, out)...)
	}
	if c.command == "survey" {
		project := filepath.Join(c.folder, "survey")
		plan := append([]string{"superpoint", "survey", "plan", "--output", project}, args...)
		if c.random.IntN(2) == 0 {
			plan = append(plan, "--tile", "20")
		}
		if o := pdal(t, nil, append(plan, in)...); o.code != 0 {
			return o
		}
		return try(t, "survey", "run", project)
	}
	reader := stage{"type": "readers.las", "filename": in}
	if c.file.Minor < 4 {
		reader["use_eb_vlr"] = true
	}
	first, w := c.stage(c.where), writer(out)
	w["dataformat_id"] = c.file.Format
	if c.second == nil {
		return pipeline(t, nil, reader, first, w)
	}
	return pipeline(t, nil, reader, first, c.stage(c.second), w)
}

func (c *campaignCase) stage(where *condition) stage {
	s := stage{"type": "filters.superpoint"}
	maps.Copy(s, c.options)
	if where != nil {
		s["where"] = where.expression()
	}
	return s
}

// randomFile makes a file with every bit of its records random, as far as the format allows, with a dimension
// Guess of a type, and with headers and lattices that PDAL itself would not keep. Extra dimensions are
// random, or those that are given.
func randomFile(random *rand.Rand, format, guess int, headers bool, extras ...las.Extra) *las.File {
	f := &las.File{Format: format, Minor: 4, Scale: [3]float64{0.001, 0.001, 0.001}}
	if format < 4 {
		f.Minor = 2 + random.IntN(3)
	} else if format < 6 {
		f.Minor = 3 + random.IntN(2)
	}
	if random.IntN(3) == 0 {
		f.Scale = [3]float64{0.01, 0.01, 0.0025}
	}
	for k := range f.Offset {
		f.Offset[k] = []float64{0, 1000, -123.456, 5e5}[random.IntN(4)]
	}
	f.Variable = []las.Variable{
		{User: "somebody", ID: uint16(random.IntN(9)), Data: randomBytes(random, random.IntN(300))}}
	if headers {
		randomLattice(random, f)
		randomHeader(random, f)
	}
	if f.Extras = extras; extras == nil {
		randomExtras(f, random, guess)
	}
	n, length := 20+random.IntN(300), f.LayOut()
	for range n {
		r := randomBytes(random, length)
		randomPoint(f, random, r)
		f.Records = append(f.Records, r)
	}
	for range random.IntN(20) { // duplicates
		f.Records = append(f.Records, slices.Clone(f.Records[random.IntN(n)]))
	}
	return f
}

// randomExtras adds dimensions of any type, of names of the stage's own, too; classes and ids of a type that
// is given.
func randomExtras(f *las.File, random *rand.Rand, guess int) {
	names := []string{"Guess", "SuperpointID", "Embedding0", "ClassConfidence",
		"SuperpointColor", "ClusterID",
		"VotedUserData", "Amplitude", "Reflectance", "Of_Mine", "Class_of_mine"}
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if guess >= 0 {
		names = slices.DeleteFunc(names, func(name string) bool {
			return name == "Guess" ||
				name == "SuperpointID"
		})
		f.Extras = []las.Extra{{Name: "Guess", Kind: guess, Scale: 1},
			{Name: "SuperpointID", Kind: guess, Scale: 1}}
	}
	for _, name := range names[:random.IntN(6)] {
		e := las.Extra{Name: name, Kind: random.IntN(len(las.Kinds)), Scale: 1}
		if las.Kinds[e.Kind] == "int16" && random.IntN(2) == 0 && name[0] != 'S' {
			e.Scale, e.Offset = 0.25, 100
		}
		f.Extras = append(f.Extras, e)
	}
}

// randomPoint puts what formats demand into random bytes: a surface, finite numbers.
func randomPoint(f *las.File, random *rand.Rand, r []byte) {
	x, y := 30*random.Float64(), 30*random.Float64()
	z := 0.1 * random.Float64()
	if x > 15 {
		z += 6
	}
	for k, v := range []float64{x, y, z} {
		le.PutUint32(r[4*k:], uint32(int32(v/f.Scale[k])))
	}
	time := 20
	if f.Format >= 6 {
		time = 22
		le.PutUint16(r[18:], uint16(int16(random.IntN(60001)-30000)))
	} else {
		r[16] = byte(int8(random.IntN(181) - 90))
	}
	if f.Format == 1 || f.Format >= 3 {
		le.PutUint64(r[time:], math.Float64bits(1e9*random.Float64()))
	}
	if random.IntN(2) == 0 { // usual classes
		class := byte(random.IntN(8))
		if f.Format < 6 {
			r[15] = r[15]&^31 | class
		} else {
			r[16] = class
		}
	}
	for k := range f.Extras {
		randomValue(&f.Extras[k], random, r)
	}
}

// randomValue puts any bits, or a small number.
func randomValue(e *las.Extra, random *rand.Rand, r []byte) {
	b := e.Bits(r)
	if e.Kind < 0 || random.IntN(4) == 0 &&
		!slices.Contains([]string{"ClusterID", "SuperpointID", "Of_Mine"}, e.Name) {
		return
	}
	v := random.IntN(100)
	if e.Name == "Guess" && v < 50 {
		v %= 2
	}
	clear(b)
	switch las.Kinds[e.Kind] {
	case "float":
		le.PutUint32(b, math.Float32bits(float32(v)))
	case "double":
		le.PutUint64(b, math.Float64bits(float64(v)))
	default:
		b[0] = byte(v)
	}
}

func randomBytes(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

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
		// PDAL 2.2 takes the flags of formats from 6 on for an extra dimension, too, and infrared if no
		// format is given
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
	if may = may && !k.keeps(i); may && !k.gives(i, after) || !may && !same(before, after) {
		k.fault("point %d of class %v, selected: %v, has class %v", i, before, k.selected(i), after)
	}
}

// withheld reports whether a point is marked as withheld, and keeps whether it keeps its
// class for that: formats 0 to 5 have the mark in the class, where old PDAL leaves it.
func (k *comparison) withheld(i int) bool { return k.file.Withheld(k.file.Records[i]) }

func (k *comparison) keeps(i int) bool { return k.file.Format >= 6 && k.withheld(i) }

// gives reports whether the classifier may give point i a class: one of its own, noise, or unclassified (1)
// to an isolated point near the ground, which has a confidence of 0.
func (k *comparison) gives(i int, class float64) bool {
	if class == 1 {
		confidence := k.result.Extra("ClassConfidence")
		return confidence != nil && confidence.Value(k.result.Records[i]) == 0
	}
	return class == 7 || class == 18 || slices.Contains(k.codes, int(class))
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// kept compares an extra dimension of the input: at all points, or at the points where no output is
// written.
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
			k.fault("%s (%s) of point %d was %v and is %v", e.Name, las.Kinds[e.Kind], i,
				e.Value(a), r.Value(b))
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
			right = !k.keeps(i) && k.gives(i, v) || v == 0 && (k.withheld(i) || only)
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

// Cases of the campaign about commands other than `segment` and `survey`, and inputs other than LAS.

// otherCommands are run by the method of the same name. The first half writes records of LAS.
func otherCommands() map[string]func(c *campaignCase, t *testing.T, in string) {
	all := disturbances()
	all["objects"] = (*campaignCase).objects
	all["map"] = (*campaignCase).mapped
	all["vpc"] = (*campaignCase).virtual
	all["text"] = (*campaignCase).text
	all["ply"] = (*campaignCase).ply
	all["pcd"] = (*campaignCase).pcd
	all["buffered survey"] = (*campaignCase).buffered
	return all
}

// outputs are names of dimensions that commands write.
var outputs = []string{"Classification", "SuperpointID", "ClassConfidence", "Embedding0", "Embedding1",
	"Embedding2",
	"Embedding3"} // read only

// result returns a result, which is LAS or LAZ.
func (c *campaignCase) result(t *testing.T, within ...string) *las.File {
	t.Helper()
	return readAny(t, c.find(t, within...))
}

func (c *campaignCase) find(t *testing.T, within ...string) string {
	t.Helper()
	pattern := filepath.Join(append([]string{c.folder}, within...)...) + ".la[sz]"
	named := must.Get(filepath.Glob(pattern))(t)
	must.Need(t, len(named) == 1, "%s: results %v", pattern, named)
	return named[0]
}

func (c *campaignCase) ending() string { return []string{".las", ".laz"}[c.random.IntN(2)] }

func (c *campaignCase) objects(t *testing.T, in string) {
	do(t, "segment", "--classes", "aerial", in, filepath.Join(c.folder, "classes"+c.ending()))
	do(t, "objects", c.find(t, "classes"), filepath.Join(c.folder, "objects.gpkg"))
	sameCloud(t, "segment --classes", c.file, c.result(t, "classes"), outputs...)
}

func (c *campaignCase) mapped(t *testing.T, in string) {
	do(t, "map", in, filepath.Join(c.folder, "map"))
	sameCloud(t, "map", c.file, c.result(t, "map", "points", "in"), outputs...)
}

// virtual segments a virtual point cloud with the number of points.
func (c *campaignCase) virtual(t *testing.T, in string) {
	item := map[string]any{"id": "a", "properties": map[string]any{"pc:count": len(c.file.Records)},
		"assets": map[string]any{"data": map[string]any{"href": "./in.las"}}}
	text := must.Get(json.Marshal(map[string]any{"type": "FeatureCollection", "features": []any{item}}))(t)
	cloud := filepath.Join(c.folder, "all.vpc")
	must.OK(t, os.WriteFile(cloud, text, 0o666))
	do(t, "segment", "--model", "geometric", cloud, filepath.Join(c.folder, "out"))
	sameCloud(t, "vpc", c.file, c.result(t, "out", "in"), outputs[1:]...)
}

// buffered surveys two files with a common strip, whose points are other ones.
func (c *campaignCase) buffered(t *testing.T, in string) {
	other := *c.file
	other.Records = nil
	for _, r := range c.file.Records {
		if int32(le.Uint32(r))%3 == 0 {
			r = slices.Clone(r)
			le.PutUint16(r[12:], le.Uint16(r[12:])+1)
			other.Records = append(other.Records, r)
		}
	}
	must.OK(t, other.Write(filepath.Join(c.folder, "second.las")))
	survey := filepath.Join(c.folder, "survey")
	surveyed(t, survey, "--model", "geometric", in, filepath.Join(c.folder, "second.las"))
	sameCloud(t, "buffered survey", c.file, c.result(t, "survey", "out", "in"), outputs[1:]...)
	sameCloud(t, "buffered survey, second file", &other, c.result(t, "survey", "out", "second"),
		outputs[1:]...)
}

// points returns the coordinates of the case with decimals, and the intensities, as text and as numbers. With
// fractions, intensities have, half of the time, a quarter more, which LAS rounds.
func (c *campaignCase) points(fractions bool) (text [][]string, p [][4]float64, quarter bool) {
	shift := []float64{0, 499999.123, -5e6}[c.random.IntN(3)]
	decimals, more := c.random.IntN(5)+1, ""
	if quarter = fractions && c.random.IntN(2) == 0; quarter {
		more = ".25"
	}
	for _, r := range c.file.Records {
		row, v := []string{3: fmt.Sprint(le.Uint16(r[12:]), more)}, [4]float64{}
		for k := range 3 {
			row[k] = fmt.Sprintf("%.*f", decimals, float64(int32(le.Uint32(r[4*k:])))*c.file.Scale[k]+shift)
		}
		for k := range v {
			fmt.Sscan(row[k], &v[k])
		}
		text, p = append(text, row), append(p, v)
	}
	return text, p, quarter
}

// lines joins rows of text.
func lines(rows [][]string, between, end string) (all string) {
	for _, row := range rows {
		all += strings.Join(row, between) + end
	}
	return all
}

// converted segments points that were not LAS.
func (c *campaignCase) converted(t *testing.T, name, text string, p [][4]float64) {
	t.Helper()
	in := filepath.Join(c.folder, name)
	put(t, in, text)
	do(t, "segment", "--model", "geometric", in, filepath.Join(c.folder, "out"+c.ending()))
	r := c.result(t, "out")
	must.Need(t, len(r.Records) == len(p), "%d of %d points", len(r.Records), len(p))
	checkComputed(t, c.command, r)
	for i, b := range r.Records {
		got, want := [4]float64{3: float64(le.Uint16(b[12:]))}, p[i]
		for k := range 3 {
			got[k] = float64(int32(le.Uint32(b[4*k:])))*r.Scale[k] + r.Offset[k]
		}
		want[3] = math.Floor(want[3])
		if want[3] != p[i][3] {
			must.Need(t, r.Extra("Intensity_value").Value(b) == p[i][3],
				`Intensity_value of point %d is not %v: r.Extra("Intensity_value").Value(b) is not p[i][3]`,
				i, p[i][3])
		}
		for k, v := range got {
			must.Need(t, math.Abs(v-want[k]) <= 1e-15*math.Abs(want[k])+1e-12,
				"coordinates and intensity of point %d are %.12f, not %.12f", i, got, want)
		}
	}
	dense(t, ids(t, r.Points(), "SuperpointID"))
}

// text has the endings of several programs.
func (c *campaignCase) text(t *testing.T, _ string) {
	rows, p, _ := c.points(false)
	between := []string{",", " ", "\t", ";"}[c.random.IntN(4)]
	end := []string{"\n", "\r\n"}[c.random.IntN(2)]
	names := [][]string{{"X", "Y", "Z", "Intensity"}, {"x", "y", "z", "INTENSITY"}}[c.random.IntN(2)]
	name := []string{"in.txt", "in.csv", "in.xyz", "in.ASC"}[c.random.IntN(4)]
	c.converted(t, name, lines(append([][]string{names}, rows...), between, end), p)
}

// ply has doubles, and intensities as integers or, with fractions, as float.
func (c *campaignCase) ply(t *testing.T, _ string) {
	_, p, quarter := c.points(true)
	kind := "ushort"
	if quarter {
		kind = "float"
	}
	b := fmt.Appendf(nil, "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty double x\n"+
		"property double y\nproperty double z\nproperty %s Intensity\nend_header\n", len(p), kind)
	for _, v := range p {
		for k := range 3 {
			b = le.AppendUint64(b, math.Float64bits(v[k]))
		}
		if quarter {
			b = le.AppendUint32(b, math.Float32bits(float32(v[3])))
		} else {
			b = le.AppendUint16(b, uint16(v[3]))
		}
	}
	c.converted(t, "in.ply", string(b), p)
}

func (c *campaignCase) pcd(t *testing.T, _ string) {
	rows, p, quarter := c.points(true)
	kind := "2\nTYPE F F F U"
	if quarter {
		kind = "4\nTYPE F F F F"
	}
	head := fmt.Sprintf(
		"VERSION .7\nFIELDS x y z intensity\nSIZE 8 8 8 %s\nCOUNT 1 1 1 1\nWIDTH %d\nHEIGHT 1\n"+
			"VIEWPOINT 0 0 0 1 0 0 0\nPOINTS %d\nDATA ascii\n", kind, len(p), len(p))
	c.converted(t, "in.pcd", head+lines(rows, " ", "\n"), p)
}

// randomLattice has scales and offsets that are no round numbers.
func randomLattice(random *rand.Rand, f *las.File) {
	f.Scale = [][3]float64{{.001, .001, .001}, {.01, .01, .0025}, {.00025, .01, .0007}, {.05, .125, .0625},
		{1e-7, 1e-6, 1e-5}}[random.IntN(5)]
	for k := range f.Offset {
		f.Offset[k] = []float64{0, 1000, -123.456, 5e5, 499999.1234567, 5400000.123, 1. / 3}[random.IntN(7)]
	}
}

// randomHeader fills the fields of a header that do not depend on points, and adds extended records.
func randomHeader(random *rand.Rand, f *las.File) {
	f.Header = randomBytes(random, 94)
	f.Header[6], f.Header[7] = byte(random.IntN(2)), 0
	if f.Format >= 6 {
		f.Header[6] |= 16
	}
	for _, at := range [][2]int{{26, 58}, {58, 90}} {
		copy(f.Header[at[0]:at[1]], fmt.Sprintf("%-32.*x", random.IntN(16), random.Uint64()))
	}
	le.PutUint16(f.Header[90:], uint16(1+random.IntN(365)))
	le.PutUint16(f.Header[92:], uint16(1990+random.IntN(40)))
	if f.Minor == 4 {
		for k := range random.IntN(3) {
			f.Variable = append(f.Variable, las.Variable{User: "somebody", ID: uint16(100 + k),
				Extended: true,
				Data:     randomBytes(random, random.IntN(70000))})
		}
	}
}
