// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/filter/georef"
	"superpoint/pipelines/commands/command"
	"superpoint/testdata/must"
)

// host reads 500 points of level ground, where it may read.
type host struct {
	command.Host
	in       georef.Reference
	out, log bytes.Buffer
	unread   *testing.T // fails when a file is read
}

func (h *host) Read(path string, _ []string) (*command.Columns, error) {
	if h.unread != nil {
		h.unread.Errorf("%s was read", path)
	}
	c := &command.Columns{Reference: h.in,
		Dimensions: map[string][]float64{"Classification": make([]float64, 500)}}
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		c.X, c.Y, c.Z = append(c.X, 9*r.Float64()), append(c.Y, 9*r.Float64()), append(c.Z, 0.1*r.Float64())
	}
	return c, nil
}

func (h *host) Log(_ int, text string)   { h.log.WriteString(text + "\n") }
func (h *host) Progress(string, float64) {}
func (h *host) Stdout() io.Writer        { return &h.out }
func (h *host) Context() context.Context { return context.Background() }

func TestHelp(t *testing.T) {
	h := new(host)
	must.OK(t, Run(h, []string{"--help"}))
	for _, text := range []string{"usage: pdal superpoint train", "--recipe", "--resume",
		"recipe file (YAML)"} {
		must.Hold(t, strings.Contains(h.out.String(), text), "the help lacks %q: %s", text, h.out.String())
	}
}

// TestTrain: a model with its checkpoint and table, continued, and refused with another seed.
func TestTrain(t *testing.T) {
	t.Chdir(t.TempDir())
	must.OK(t, os.WriteFile("recipe.yaml", []byte("inputs: {neighbors: 8, neighbor_channels: [x, y, z], "+
		"point_channels: [radius]}\nnetwork: {lpe: {conv: [8, 16], fc: [16, 4]}}\nbatch: {clouds: 1, "+
		"points: 200}\noptimise: {epochs: 1, steps: 1}\n"), 0o644))
	must.OK(t, os.WriteFile("a.txt", []byte("X Y Z\n"+strings.Repeat("1 1 1\n", 500)), 0o644))
	run := func(args string) (*host, error) {
		h := new(host)
		return h, Run(h, strings.Fields("--input *.txt "+args))
	}
	h, err := run("--recipe recipe.yaml --output a.model --seed 7")
	must.OK(t, err)
	m := must.Get(embed.Load(must.Get(os.ReadFile("a.model"))(t)))(t)
	want := fmt.Sprintf("a.model: %d parameters, %s; `pdal superpoint info` prints its card\n",
		m.Card.Parameters(), m.Sum())
	must.Equal(t, h.out.String(), want, "the command printed")
	must.Hold(t, m.Card.Training.Final != 0, "m.Card.Training.Final is 0")
	must.Hold(t, m.Card.Integer != nil, "m.Card.Integer is nil")
	for _, suffix := range []string{tableSuffix, checkpointSuffix} {
		if info, err := os.Stat("a.model" + suffix); err != nil || info.Size() == 0 {
			t.Errorf("no %s beside the model: %v", suffix, err)
		}
	}
	h = must.Get(run("--recipe recipe.yaml --output a.model --seed 7 --resume"))(t)
	must.Hold(t, strings.Contains(h.log.String(), "resuming after epoch 1"), "%v", h.log.String())
	from := map[string]float64{}
	for _, base := range []string{"", " --base a.model"} { // whose rate moves no weight
		slow := "--recipe slow.yaml --output b.model --seed 8" + base
		text := string(must.Get(os.ReadFile("recipe.yaml"))(t))
		text = strings.Replace(text, "steps: 1", "steps: 1, rate: 1e-9, average: 0", 1)
		must.OK(t, os.WriteFile("slow.yaml", []byte(text), 0o644))
		must.Get(run(slow))(t)
		b := must.Get(embed.Load(must.Get(os.ReadFile("b.model"))(t)))(t)
		l := b.Card.Layers().All()[0]
		from[base] = float64(b.Weights(l).Weight[0] - m.Weights(l).Weight[0])
	}
	a := from[" --base a.model"]
	must.Hold(t, a*a <= 1e-12, "a*a is %v, want at most 1e-12", a*a)
	must.Hold(t, from[""]*from[""] >= 1e-6,
		`from[""]*from[""] is %v, want at least 1e-6`, from[""]*from[""])
	_, err = run("--recipe recipe.yaml --output b.model --base any")
	must.Fail(err)(t, `model "any" has other channels or layers than the recipe`)
	must.Fail(run("--recipe recipe.yaml --output b.model --base Any"))(t, "--base", "did you mean any")
	_, err = run("--recipe recipe.yaml --output a.model --seed 8 --resume")
	must.Fail(err)(t, "train: a.model.checkpoint: ", "recipe, seed", "delete it")
}

// TestTrainingKeepsItsInputs: a file that training writes cannot be one that it reads. Package atomicfile
// tests links.
func TestTrainingKeepsItsInputs(t *testing.T) {
	for _, suffix := range []string{"", checkpointSuffix, tableSuffix} {
		for _, input := range []string{"input", "val", "recipe", "base"} {
			folder := t.TempDir()
			output := filepath.Join(folder, "room")
			args := []string{"--output", output}
			for name, text := range map[string]string{"input": "points", "val": "points",
				"recipe": "name: model",
				"base":   "model"} {
				path := filepath.Join(folder, name)
				if name == input {
					path = output + suffix
				}
				must.OK(t, os.WriteFile(path, []byte(text), 0o666))
				args = append(args, "--"+name, path)
			}
			before := must.Get(os.ReadFile(output + suffix))(t)
			must.Fail(Run(&host{unread: t}, args))(t, "is an input, too", output+suffix)
			after, _ := os.ReadFile(output + suffix)
			must.Hold(t, string(after) == string(before), "--%s as %s: %q has become %q", input,
				output+suffix, before, after)
		}
	}
}

// TestTrainingIsInMetres: clouds in other units are scaled, and what was assumed of units is logged with the
// file.
func TestTrainingIsInMetres(t *testing.T) {
	h := new(host)
	metres := must.Get(trainHost{h}.Read("a.laz", nil))(t)
	must.Hold(t, strings.HasPrefix(h.log.String(), "a.laz: the view has no spatial reference"),
		"log %q", &h.log)
	h.in = georef.Reference{Kind: georef.Projected, HorizontalUnit: 0.3048}
	feet := must.Get(trainHost{h}.Read("a.laz", nil))(t)
	for i, x := range metres.X {
		metres.X[i], metres.Y[i], metres.Z[i] = 0.3048*x, 0.3048*metres.Y[i], 0.3048*metres.Z[i]
	}
	must.Equal(t, feet, metres, "a cloud in feet")
}

// A cloud is thinned to the same points in every run, in all columns.
func TestThinned(t *testing.T) {
	const n = 20000
	c, meaning := &command.Columns{Dimensions: map[string][]float64{"Intensity": nil}}, make([]int, n)
	for i := range n {
		c.X, c.Y, c.Z = append(c.X, float64(i)), append(c.Y, float64(-i)), append(c.Z, 0)
		c.Dimensions["Intensity"] = append(c.Dimensions["Intensity"], float64(2*i))
		meaning[i] = i
	}
	few, of := thinned(c, meaning, 0.25)
	share := float64(len(few.X)) / n
	must.Hold(t, math.Abs(share-0.25) <= 0.02, "a share of %v", share)
	for i, x := range few.X {
		must.Need(t, few.Y[i] == -x, "point %v has the columns of others: few.Y[i] is not -x", x)
		must.Need(t, few.Dimensions["Intensity"][i] == 2*x,
			`point %v has the columns of others: few.Dimensions["Intensity"][i] is not 2*x`, x)
		must.Need(t, float64(of[i]) == x, "point %v has the columns of others: of[i] is not x", x)
	}
	again, _ := thinned(c, meaning, 0.25)
	must.Hold(t, slices.Equal(again.X, few.X), "other points in another run")
}

func TestTrainAsksForClasses(t *testing.T) {
	for args, want := range map[string]bool{
		"--classes rules.yaml a.laz b": true, "-classes=rules.yaml a b": true,
		"--input classes --output b": false, "": false,
	} {
		must.Equal(t, trainsClasses(strings.Fields(args)), want, "%q", args)
	}
}
