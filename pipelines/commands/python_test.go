// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/train"
	"superpoint/testdata/must"
)

// TestOptionsOfPython: the options that the Python package names for a command are options of it.
func TestOptionsOfPython(t *testing.T) {
	text := string(must.Get(os.ReadFile("../python/superpoint/_commands.py"))(t))
	for function, list := range documentedOptions(text) {
		t.Run(function, func(t *testing.T) {
			known := optionsOfCommand(t, function)
			must.Need(t, known != nil, "no command for the function %s", function)
			for _, option := range list {
				must.Hold(t, slices.Contains(known, option), "no option %q; they are %q", option, known)
			}
		})
	}
}

// documentedOptions returns the options in the documentation of each function of a module.
func documentedOptions(text string) map[string][]string {
	options := map[string][]string{}
	function := regexp.MustCompile(`(?m)^def (\w+)\(`)
	line := regexp.MustCompile("(?m)^ {4}options +(?:those of `[^`]*`: )?(\\w+(?:, \\w+)*)")
	starts := function.FindAllStringSubmatchIndex(text, -1)
	for i, at := range starts {
		body := text[at[1]:]
		if i+1 < len(starts) {
			body = text[at[1]:starts[i+1][0]]
		}
		if found := line.FindStringSubmatch(body); found != nil {
			list, _, _ := strings.Cut(found[1], ", and")
			for name := range strings.SplitSeq(list, ", ") {
				name = strings.ReplaceAll(strings.TrimRight(name, "_"), "on_error", "on-error")
				options[text[at[2]:at[3]]] = append(options[text[at[2]:at[3]]], name)
			}
		}
	}
	return options
}

// optionsOfCommand returns the names of all options of the command of a function, also those of the stage;
// nil if there is no such command.
func optionsOfCommand(t *testing.T, function string) (names []string) {
	t.Helper()
	if function == command.TrainName { // which is in another library
		h := &stepsHost{t: t}
		must.OK(t, train.Run(h, []string{"--help"}))
		for _, m := range regexp.MustCompile(`(?m)^ *--([a-z_-]+)`).FindAllStringSubmatch(
			h.out.String(), -1) {
			names = append(names, m[1])
		}
		return names
	}
	name := map[string]string{"evaluate": "eval"}[function]
	if name == "" {
		name = function
	}
	for _, c := range list() {
		if c.Name == name {
			for _, f := range commandFlags(c) {
				names = append(names, f.name)
			}
		}
	}
	return names
}

// TestDocumentedOptions: the options are read from the lines that the module has them in.
func TestDocumentedOptions(t *testing.T) {
	got := documentedOptions(
		"def table(\n    \"\"\"Text.\n\n    options      those of `pdal superpoint table`: a_b, class_\n" +
			"    \"\"\"\ndef train(\n    options  truth, on_error\n    more\ndef other(\n    none\n")
	must.Equal(t, got, map[string][]string{"table": {"a_b", "class"}, "train": {"truth", "on-error"}},
		"options")
}
