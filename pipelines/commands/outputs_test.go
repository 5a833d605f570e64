package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// writing describes the inputs and outputs of a command: words in braces in its arguments
// are inputs, except {dir}, the folder of outputs; files are the names of the outputs in
// that folder.
type writing struct {
	args  string
	files string
}

// writers has every command; one that is missing fails the test.
func writers() map[string]*writing {
	return map[string]*writing{
		"segment": {"--model {model} {in} {other} {dir}/", "in.las other.las"},
		"map":     {"--classes {model} {in} {other} {dir}", "objects.gpkg terrain.tif surface.tif map.png report.html"},
		"eval": {"--model {model} --rules {rules} --target_size 50 --card {dir}/card.model --format csv --output " +
			"{dir}/curve.csv {in} {other}", "curve.csv card.model"},
		"compare": {"--systems geom-graph,ssp:{model} --rules {rules} --output {dir} a={in} b={other}",
			"results.csv summary.md figure.svg figure.png report.html"},
		"render":  {"--model {model} {in} {dir}/picture.png", "picture.png"},
		"outline": {"--label {model} {in} {other} {dir}/outline.geojson", "outline.geojson"},
		"objects": {"--points {dir} {in} {dir}/objects.geojson", "objects.geojson in.las"},
		"mesh":    {"{in} {dir}/mesh.stl", "mesh.stl"},
		"table":   {"{in} {dir}/table.csv", "table.csv"},
		"graph":   {"{in} {dir}/graph.parquet", "graph.parquet"},
		"classify": {"--classes {model} --labels {other} --save {dir}/few.safetensors {in} {dir}/classified.las",
			"few.safetensors classified.las"},
		"propose": {"--classes {model} --labels {other} {in} {dir}/next.csv", "next.csv"},
		"survey plan": {"--model {model} --output {dir} {in} {other}",
			"plan.json out/tile_000_000.laz embed/0.las cut/0/0.las"},
		"info":       nil, // writes to the standard output only
		"survey run": nil, // writes to the folder that survey plan planned in
	}
}

// disguises are the ways in which an output path can refer to an input file.
func disguises() map[string]func(input, output string) error {
	return map[string]func(input, output string) error{"same path": nil, "symbolic link": os.Symlink, "hard link": os.Link}
}

// TestNoCommandWritesToItsInputs names each output of each command as each of its
// inputs: by the same path, by a link, and by a hard link.
func TestNoCommandWritesToItsInputs(t *testing.T) {
	tried := 0
	for _, c := range subcommands() {
		w, ok := writers()[c.name]
		if !ok {
			t.Errorf("command %s is new: say in writers() what it reads and writes", c.name)
		}
		if w == nil {
			continue
		}
		for _, file := range strings.Fields(w.files) {
			for _, input := range []string{"{in}", "{other}", "{model}", "{rules}"} {
				for disguise, link := range disguises() {
					if !strings.Contains(w.args, input) || link != nil && strings.Contains(file, "/") {
						continue // in its own folders a survey replaces links, it does not follow them
					}
					tried++
					t.Run(c.name+" "+filepath.Base(file)+" "+input+" "+disguise, func(t *testing.T) {
						refusesInput(t, c.name, w, file, input, link)
					})
				}
			}
		}
	}
	if tried < 90 {
		t.Errorf("only %d pairs of input and output", tried)
	}
}

func refusesInput(t *testing.T, name string, w *writing, file, input string, link func(string, string) error) {
	model, err := os.ReadFile("../../embed/models/aerial.safetensors")
	must.OK(t, err)
	dir, inputs := filepath.Join(t.TempDir(), "out"), t.TempDir()
	output := filepath.Join(dir, file)
	must.OK(t, os.MkdirAll(filepath.Dir(output), 0o777))
	replace := []string{"{dir}", dir}
	for in, text := range map[string]string{"{in}": "points", "{other}": "points", "{model}": string(model),
		"{rules}": "[]"} {
		path := filepath.Join(inputs, strings.Trim(in, "{}")+".las")
		if in == input && link == nil {
			path = output
		}
		must.OK(t, os.WriteFile(path, []byte(text), 0o666))
		if in == input && link != nil {
			must.OK(t, link(path, output))
		}
		replace = append(replace, in, path)
	}
	before := contents(t, dir, inputs)
	args := strings.Fields(w.args)
	for i := range args {
		args[i] = strings.NewReplacer(replace...).Replace(args[i])
	}
	host := &stepsHost{t: t}
	err = Run(host, append(strings.Fields(name), args...))
	if err == nil || !strings.Contains(err.Error(), "name another output") &&
		!strings.Contains(err.Error(), "in another folder") {
		t.Errorf("%s %q: %v", name, args, err)
	}
	if host.reads > 0 {
		t.Errorf("refused after %d files were read", host.reads)
	}
	if after := contents(t, dir, inputs); !slices.Equal(before, after) {
		t.Errorf("files have changed: %q to %q", before, after)
	}
}

// contents lists all files with what is in them.
func contents(t *testing.T, folders ...string) (all []string) {
	for _, folder := range folders {
		must.OK(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				all = append(all, path)
				return err
			}
			text, err := os.ReadFile(path)
			all = append(all, path+": "+string(text))
			return err
		}))
	}
	return all
}
