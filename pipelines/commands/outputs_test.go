// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/testdata/must"
)

// writing describes the inputs and outputs of a command: words in braces in its arguments are inputs, except
// {dir}, the folder of outputs; files are the names of the outputs in that folder.
type writing struct {
	args  string
	files string
}

// writers has every command; one that is missing fails the test.
func writers() map[string]*writing {
	return map[string]*writing{
		"segment": {"--model {model} {in} {other} {dir}/", "in.las other.las"},
		"map": {
			"--classes {model} {in} {other} {dir}",
			"objects.gpkg buildings.city.json terrain.tif surface.tif canopy.tif map.png counts.csv " +
				"report.html",
		},
		"eval": {"--model {model} --rules {rules} --format csv --output {dir}/curve.csv {in} {other}",
			"curve.csv"},
		"compare": {"--systems geom-graph,ssp:{model} --rules {rules} --output {dir} a={in} b={other}",
			"results.csv summary.md figure.svg"},
		"render":  {"--model {model} {in} {dir}/picture.png", "picture.png"},
		"outline": {"--label {model} {in} {other} {dir}/outline.geojson", "outline.geojson"},
		"objects": {"{in} {dir}/objects.geojson", "objects.geojson"},
		"mesh":    {"{in} {dir}/mesh.stl", "mesh.stl"},
		"table":   {"{in} {dir}/table.csv", "table.csv"},
		"graph":   {"{in} {dir}/graph.csv", "graph.csv"},
		"classify": {"--classes {model} --labels {other} --save {dir}/few.safetensors {in} " +
			"{dir}/classified.las",
			"few.safetensors classified.las"},
		"propose": {"--classes {model} --labels {other} {in} {dir}/next.csv", "next.csv"},
		"survey plan": {"--model {model} --output {dir} {in} {other}",
			"plan.json out/in.las label/0.las cut/0/0.las"},
		"info":       nil, // writes to the standard output only
		"survey run": nil, // writes to the folder that survey plan planned in
	}
}

// TestNoCommandWritesToItsInputs names each output of each command as each of its
// inputs: by the same path, by a link, and by a hard link.
func TestNoCommandWritesToItsInputs(t *testing.T) {
	disguises := map[string]func(input, output string) error{"same path": nil, "symbolic link": os.Symlink,
		"hard link": os.Link}
	tried := 0
	for _, c := range list() {
		w, ok := writers()[c.Name]
		must.Hold(t, ok, "command %s is new: say in writers() what it reads and writes", c.Name)
		if w == nil {
			continue
		}
		for _, file := range strings.Fields(w.files) {
			for _, input := range []string{"{in}", "{other}", "{model}", "{rules}"} {
				for disguise, link := range disguises {
					if !strings.Contains(w.args, input) || link != nil && strings.Contains(file, "/") {
						continue // in its own folders a survey replaces links, it does not follow them
					}
					tried++
					t.Run(c.Name+" "+filepath.Base(file)+" "+input+" "+disguise, func(t *testing.T) {
						p := w.prepare(t, file)
						if link == nil {
							must.OK(t, os.Rename(p.inputs[input], p.output))
							p.inputs[input] = p.output
						} else {
							must.OK(t, link(p.inputs[input], p.output))
						}
						p.refused(t, c.Name, nil, "name another output", "in another folder")
					})
				}
			}
		}
	}
	must.Hold(t, tried >= 90, "only %d pairs of input and output", tried)
}

// prepared is a command with its inputs, before a run.
type prepared struct {
	args         []string // with the words in braces of inputs
	dir, output  string
	inputs       map[string]string // by word in braces
	inputsFolder string
}

func (w *writing) prepare(t *testing.T, file string) *prepared {
	t.Helper()
	model := must.Get(os.ReadFile("../../embed/models/aerial.safetensors"))(t)
	c := &prepared{dir: filepath.Join(t.TempDir(), "out"), inputs: map[string]string{},
		inputsFolder: t.TempDir(),
		args:         strings.Fields(w.args)}
	c.output = filepath.Join(c.dir, filepath.FromSlash(file))
	must.OK(t, os.MkdirAll(filepath.Dir(c.output), 0o777))
	for in, text := range map[string]string{"{in}": "points", "{other}": "points", "{model}": string(model),
		"{rules}": "[]"} {
		c.inputs[in] = filepath.Join(c.inputsFolder, strings.Trim(in, "{}")+".las")
		must.OK(t, os.WriteFile(c.inputs[in], []byte(text), 0o666))
	}
	return c
}

// Run runs the command with further options.
func (c *prepared) run(host command.Host, name string, options ...string) error {
	replace := []string{"{dir}", c.dir}
	for in, path := range c.inputs {
		replace = append(replace, in, path)
	}
	args := strings.Fields(name)
	for _, a := range append(options, c.args...) {
		args = append(args, strings.NewReplacer(replace...).Replace(a))
	}
	return Run(host, args)
}

// refused runs the command and tests that it is refused with one of some words before it reads a file, and
// that it changes no file.
func (c *prepared) refused(t *testing.T, name string, options []string, words ...string) {
	t.Helper()
	before, host := contents(t, c.dir, c.inputsFolder), &stepsHost{t: t}
	err := c.run(host, name, options...)
	must.Need(t, err != nil, "%s %q: no error", name, c.args)
	must.Hold(t, slices.ContainsFunc(words, func(w string) bool { return strings.Contains(err.Error(), w) }),
		"%s %q: error %v, want one of %q", name, c.args, err, words)
	must.Hold(t, host.reads == 0, "refused after %d files were read", host.reads)
	must.Equal(t, contents(t, c.dir, c.inputsFolder), before, "files")
}

// TestNoCommandReplacesForeignFiles has each output of each command there before: made by another program, or
// by superpoint. Only what superpoint made, or what --force names, is not refused. TestOwnership of package
// atomicfile has all other states of an output.
func TestNoCommandReplacesForeignFiles(t *testing.T) {
	const notReplaced = "is not replaced"
	inFolder := []string{"map", "compare", "segment"} // whose outputs the user does not name one by one
	tried := 0
	for _, c := range list() {
		w := writers()[c.Name]
		if w == nil {
			continue
		}
		for _, file := range strings.Fields(w.files) {
			if strings.HasPrefix(file, "out/") {
				continue // survey run checks these
			}
			tried++
			t.Run(c.Name+" "+filepath.Base(file), func(t *testing.T) {
				foreign := w.prepare(t, file)
				must.OK(t, os.WriteFile(foreign.output, []byte("weeks of work"), 0o666))
				foreign.refused(t, c.Name, nil, notReplaced, "plan in another folder")
				step := strings.Contains(file, "/")
				switch named := !slices.Contains(inFolder, c.Name) && file != "in.las" &&
					file != "plan.json" && !step; {
				case named:
					err := foreign.run(&stepsHost{t: t}, c.Name, "--force")
					if err != nil {
						must.Hold(t, !strings.Contains(err.Error(), notReplaced),
							"with --force: got %q, want no %q in it", err.Error(), notReplaced)
					}
				case c.Name != "survey plan":
					foreign.refused(t, c.Name, []string{"--force"}, notReplaced)
				}
				if step {
					return
				}
				ours := w.prepare(t, file)
				to := must.Get(new(atomicfile.Files).Output(ours.output))(t)
				must.OK(t, to.Write(atomicfile.Bytes([]byte("ours"))))
				err := ours.run(&stepsHost{t: t}, c.Name)
				if err != nil {
					must.Hold(t, !strings.Contains(err.Error(), notReplaced),
						"ours: got %q, want no %q in it", err.Error(), notReplaced)
				}
			})
		}
	}
	must.Hold(t, tried >= 24, "only %d outputs", tried)
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

// TestOneLineAResult: a command prints one line about each file that it wrote, with what is in it, and none
// with --quiet.
func TestOneLineAResult(t *testing.T) {
	tried := map[string]bool{
		"info": true, // writes no file
		// folders of files, and files that need a classifier or labels
		"segment": true, "map": true, "compare": true, "classify": true, "propose": true,
		"survey plan": true, "survey run": true,
	}
	for args, names := range map[string][2]string{
		"table steps":                     {"a.csv", "a.csv: 2 superpoints, 22 columns"},
		"graph steps":                     {"a.csv", "a.csv: 1 edge, 8 columns"},
		"outline steps":                   {"a.geojson", "a.geojson: 2 polygons of 2 superpoints in 1 file"},
		"render --model geometric steps":  {"a.png", "a.png: input, superpoint of 3,000 points"},
		"mesh --planarity 0 steps":        {"a.stl", "a.stl: "},
		"objects steps":                   {"a.geojson", "a.geojson: 0 buildings, 0 trees"},
		"eval --model geometric --output": {"a.csv steps", "a.csv: "},
	} {
		name := names[0]
		command, _, _ := strings.Cut(args, " ")
		tried[command] = true
		for _, quiet := range []bool{false, true} {
			folder, options := t.TempDir(), strings.Fields(args)
			for _, word := range strings.Fields(name) {
				if strings.HasPrefix(word, "a.") {
					word = filepath.Join(folder, word)
				}
				options = append(options, word)
			}
			if quiet {
				options = append(options, "--quiet")
			}
			host := &stepsHost{t: t, points: 3000}
			must.OK(t, Run(host, options))
			lines := 0
			for line := range strings.Lines(host.said + host.out.String()) {
				if strings.HasPrefix(line, filepath.Join(folder, names[1])) {
					lines++
				}
			}
			must.Equal(t, lines, map[bool]int{false: 1}[quiet],
				"%s, quiet %v: lines in %q and %q", args, quiet, host.said, host.out.String())
		}
	}
	for _, c := range list() {
		must.Hold(t, tried[c.Name], "command %s is new: say here what it prints about its file", c.Name)
	}
}
