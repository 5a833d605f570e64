//go:build cgo

// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// numbers returns all values of layout.h, by their expressions in C and by the names in Go.
func numbers(header string) map[string]float64 {
	inC := map[string]string{} // neighborchannels: neighbor_channels
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(header, -1) {
		inC[squash(word)] = word
	}
	all := map[string]float64{
		"MOST_NEIGHBORS": MostNeighbors, "MOST_CHANNELS": MostChannels, "MOST_LAYERS": MostLayers,
		"FARTHEST": Farthest, "SMALLEST_RADIUS": SmallestRadius, "FARTHEST_MEAN": FarthestMean,
		"HIGHEST_RISE": HighestRise, "HIGHEST_EXTENT": HighestExtent, "RADIUS_EPSILON": RadiusEpsilon,
		"CHANNELS": float64(len(names)), "MOST_COLUMNS": MostColumns,
		"POSITION_EXPONENT": PositionExponent, "NORMAL_EXPONENT": NormalExponent,
	}
	for i, name := range []string{"X", "Y", "Z", "COLUMN", "D_COLUMN", "NORMAL_TURN", "RISE", "RADIUS",
		"CENTROID_OFFSET",
		"HEIGHT_RANGE", "OMEGA"} {
		all["CHANNEL_"+name] = float64(i)
	}
	for _, v := range []any{Source{}, Inputs{}, Layer{}, Part{}, Network{}, Shapes{}} {
		kind := reflect.TypeOf(v)
		name := "struct " + inC[squash(kind.Name())]
		all["sizeof("+name+")"] = float64(kind.Size())
		for i := range kind.NumField() {
			f := kind.Field(i)
			field := inC[squash(f.Name)]
			all["offsetof("+name+", "+field+")"] = float64(f.Offset)
			all["sizeof((("+name+"*)0)->"+field+")"] = float64(f.Type.Size())
		}
	}
	return all
}

func squash(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// TestHeaderEqualsGo: the C compiler gives layout.h the sizes and offsets of layout.go.
func TestHeaderEqualsGo(t *testing.T) {
	header := must.Get(os.ReadFile("layout.h"))(t)
	want := numbers(string(header))
	var program strings.Builder
	fmt.Fprintf(&program, "#include <stddef.h>\n#include <stdio.h>\n%s\nint main(void) {\n", header)
	for expression := range want {
		fmt.Fprintf(&program, "printf(\"%%.9g\\t%%s\\n\", (double)(%s), \"%s\");\n", expression, expression)
	}
	program.WriteString("return 0; }\n")
	source, binary := filepath.Join(t.TempDir(), "layout.c"), filepath.Join(t.TempDir(), "layout")
	must.OK(t, os.WriteFile(source, []byte(program.String()), 0o600))
	compiler := must.Get(exec.Command("go", "env", "CC").Output())(t)
	words := append(strings.Fields(string(compiler)), "-std=c11", "-o", binary, source)
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	must.Need(t, err == nil, "%v: %s", err, out)
	out = must.Get(exec.Command(binary).Output())(t)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	must.Need(t, len(lines) == len(want), "%d numbers, want %d", len(lines), len(want))
	for _, line := range lines {
		number, expression, _ := strings.Cut(line, "\t")
		var v float64
		must.Get(fmt.Sscan(number, &v))(t)
		must.Hold(t, math.Abs(v-want[expression]) <= 1e-6*v, "%s is %g in C, %g in Go", expression, v,
			want[expression])
	}
}

// TestChannelsHaveNames: each channel has a name. (A field that only C has changes the size,
// and a name that only Go has does not compile above.)
func TestChannelsHaveNames(t *testing.T) {
	seen := map[string]Channel{}
	for c := range names {
		name := Channel(c).String()
		other, ok := seen[name]
		must.Hold(t, !ok, "channel %d has the name %q, as channel %d: ok is true", c, name, other)
		must.Hold(t, (name == "") == (Channel(c) == Column),
			`channel %d has the name %q, as channel %d: name == "" is not Channel(c) == Column`,
			c, name, other)
		seen[name] = Channel(c)
	}
}
