// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
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

// The campaign: random files × random options and commands, checked record by record.
// SUPERPOINT_CASES=2000 runs more than the everyday 100, SUPERPOINT_SEED=7 others, and
// SUPERPOINT_KEEP=/folder keeps their files.

// campaignCase is a file and what is done with it.
type campaignCase struct {
	random  *rand.Rand
	folder  string
	file    *las.File
	command string // segment, stage, two stages, survey, or one of otherCommands
	other   bool   // it is one of otherCommands
	packed  bool   // the result is LAZ, if that can be
	options stage
	guess   int        // type of the dimensions that classes and ids go to, which are there; −1 = any, or none
	where   *condition // nil = all points
	second  *condition // of the second stage

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
	text, err := json.Marshal(map[string]any{"command": c.command, "format": c.file.Format, "options": c.options,
		"where": c.where, "second": c.second, "codes": c.codes, "change": c.change, "folder": c.folder})
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
	t.Logf("%d cases: %d results of %d points, %d refused", cases, segmented.Load(), points.Load(), refused.Load())
	if segmented.Load() < int64(cases)/2 || cases >= 60 && refused.Load() == 0 {
		t.Error("too few of one outcome: the cases do not try what they should")
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

// run runs the case and checks what came of it; it reports false if that was refused, as
// it has to be.
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
		if o.code != 1 || !strings.Contains(o.stderr, want) {
			t.Errorf("exit code %d, not refused by %q:\n%s", o.code, want, o.stderr)
		}
		if left, _ := filepath.Glob(filepath.Join(c.folder, "out*")); len(left) > 0 && c.command != "survey" {
			t.Errorf("left: %v", left)
		}
		return false
	}
	if o.code != 0 {
		t.Fatalf("exit code %d\n%s", o.code, o.stderr)
	}
	if _, err := os.Stat(out); c.packed && err != nil { // which PDAL 2.2 cannot always write
		out = filepath.Join(c.folder, "out.las")
	}
	if c.command == "survey" {
		named, _ := filepath.Glob(filepath.Join(c.folder, "survey", "out", "in.la[sz]"))
		out = strings.Join(named, " ")
	}
	k := &comparison{campaignCase: c, result: readAny(t, out), all: strings.Contains(c.command, "stage")}
	k.compare()
	if len(k.faults) > 0 {
		t.Errorf("%d faults, the first:\n%s", len(k.faults), strings.Join(k.faults[:min(8, len(k.faults))], "\n"))
	}
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

// randomFile makes a file with every bit of its records random, as far as the format allows, with a
// dimension Guess of a type, and with headers and lattices that PDAL itself would not keep. Extra dimensions are
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

// randomExtras adds dimensions of any type, of names of the stage's own, too; classes and ids of a type that is given.
func randomExtras(f *las.File, random *rand.Rand, guess int) {
	names := []string{"Guess", "SuperpointID", "Embedding0", "ClassConfidence", "SuperpointColor", "ClusterID",
		"VotedUserData", "Amplitude", "Reflectance", "Of_Mine", "Class_of_mine"}
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if guess >= 0 {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "Guess" || name == "SuperpointID" })
		f.Extras = []las.Extra{{Name: "Guess", Kind: guess, Scale: 1}, {Name: "SuperpointID", Kind: guess, Scale: 1}}
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
	if e.Kind < 0 || random.IntN(4) == 0 && !slices.Contains([]string{"ClusterID", "SuperpointID", "Of_Mine"}, e.Name) {
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
