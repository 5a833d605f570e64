// SPDX-License-Identifier: BSD-3-Clause

// Command tables generates files from the tables of packages filter and command: the options of the
// C++ stage, the fields of option.Options, the tables of the pages, and the fields of the QGIS plugin.
// `go generate ./filter` runs it; its test fails if a generated file is old.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"superpoint/embed"
	"superpoint/filter"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/option"
	"superpoint/pipelines/commands"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/render"
	"superpoint/pipelines/files/generated"
)

// files returns the generated files. top is the folder of the checkout.
func files(top string) ([]generated.File, error) {
	const by = "go generate ./filter"
	folders, err := folderPicture(top)
	if err != nil {
		return nil, err
	}
	steps, err := stepPicture(top)
	if err != nil {
		return nil, err
	}
	return []generated.File{
		{Path: "CONTRIBUTING.md", By: by, Sections: map[string]string{"folders": folders, "steps": steps}},
		{Path: "filter/option/fields.go", Whole: optionFields()},
		{Path: "filter/pdal/options.inc", Whole: cplusplus()},
		{Path: "filter/pdal/commands.inc", Whole: commandNames()},
		{Path: "filter/pdal/kernels.md", By: by, Sections: commandOptions()},
		{Path: "pipelines/qgis/superpoint/options.json", Whole: fields()},
		{Path: "filter/pdal/filters.superpoint.md", By: by, Sections: map[string]string{
			"options": optionList(), "outputs": outputTable(),
		}},
		{Path: "pipelines/qgis/superpoint/metadata.txt", Line: "version=" + filter.Version},
		{Path: "filter/pdal/packages/conda/recipe/recipe.yaml", Line: `  version: "` + filter.Version + `"`},
	}, nil
}

func main() {
	const top = ".." // go generate runs in filter/
	all, err := files(top)
	if err == nil {
		err = generated.Write(top, all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

// optionList is a definition an option, as in the pages of PDAL's stages.
func optionList() string {
	var b strings.Builder
	for _, s := range option.Specs() {
		text := sentence(s.Help)
		if s.Choices != nil {
			var all []string
			for _, c := range s.Choices {
				all = append(all, "`"+c.Name+"` ("+c.Help+")")
			}
			text = strings.TrimSuffix(text, ".") + ": " + strings.Join(all, ", ") + "."
		}
		if s.Methods != nil {
			text += " For " + strings.Join(codes(s.Methods), ", ") + "."
		}
		if r := s.Range.String(); r != "" {
			text += " " + sentence(r)
		}
		if s.Details != "" {
			text += " " + s.Details
		}
		fmt.Fprintf(&b, "%s\n\n: %s\n  \\[Default: %s\\]\n\n", s.Name, wrapped(width, text, "  "),
			cmp.Or(s.Default, s.DefaultText))
	}
	return b.String()
}

// outputTable is a row an output.
func outputTable() string {
	var b strings.Builder
	b.WriteString("| dimension | type | what |\n|---|---|---|\n")
	for _, w := range filter.Outputs() {
		kind, text := w.Type, w.Help
		if kind == "" {
			kind = "as that dimension"
		}
		if w.When != "" {
			text += "; " + w.When
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", w.Pattern, kind, text)
	}
	return b.String()
}

func codes(names []string) (all []string) {
	for _, name := range names {
		all = append(all, "`"+name+"`")
	}
	return all
}

var reference = regexp.MustCompile(`\{ref\}(` + "`[^`]*`)")

// unlinked takes out what only PDAL's pages can follow.
func unlinked(text string) string { return reference.ReplaceAllString(text, "$1") }

// sentence writes a text with a capital and a full stop.
func sentence(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "…") {
		return text
	}
	return text + "."
}

// width is the width of a line of the pages.
const width = 120

// wrapped breaks a text into lines of a width; those after the first are indented.
func wrapped(width int, text, indent string) string {
	var b strings.Builder
	at := len(indent)
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + indent)
			at = len(indent)
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

const licence = "// SPDX-License-Identifier: BSD-3-Clause\n"

// cplusplus is the rows of options.inc.
func cplusplus() string {
	var b strings.Builder
	b.WriteString(licence + "// Written by go generate ./filter from filter/option/table.go; do not edit.\n")
	for _, s := range option.Specs() {
		fmt.Fprintf(&b, "{ %q, %q, %t,\n    %s },\n", s.Name, s.Default, s.List ||
			s.Kind == option.KindNumbers,
			literal(capital(unlinked(line(&s)))))
	}
	return b.String()
}

// optionFields is the type Options of package option.
func optionFields() string {
	var b strings.Builder
	b.WriteString(licence + "// Code generated by go generate ./filter from table.go; DO NOT EDIT.\n\n" +
		"package option\n\n" +
		"// Options are the options of the stage. A zero value, or nil, means the\n" +
		"// default, which for some comes from the model. Lengths are in metres.\ntype Options struct {\n")
	longest := 0
	for _, s := range option.Specs() {
		longest = max(longest, len(s.GoName()))
	}
	for _, s := range option.Specs() {
		fmt.Fprintf(&b, "\t%-*s %s\n", longest, s.GoName(), s.GoType())
	}
	b.WriteString("}\n")
	return b.String()
}

// line is the help of an option whose default PDAL shows beside it.
func line(s *option.Spec) string {
	plain := *s
	plain.Help = unlinked(s.Help)
	return plain.Line()
}

// literal is a string of C++, in pieces that fit a line.
func literal(text string) string {
	return strings.ReplaceAll(strconv.Quote(wrapped(width-6, text, "    ")), `\n    `, " \"\n    \"")
}

func capital(text string) string { return strings.TrimSuffix(sentence(text), ".") }

// field is an option as a dialog shows it.
type field struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Kind    string   `json:"kind"`
	Group   string   `json:"group,omitempty"`
	Common  bool     `json:"common,omitempty"`
	Default string   `json:"default"`
	Choices []string `json:"choices,omitempty"`
	Least   float64  `json:"least,omitempty"`
	Most    float64  `json:"most,omitempty"`
	Methods []string `json:"methods,omitempty"`
}

// commandFields are the options of a command that the stage does not have, by name.
func commandFields() map[string]map[string]field {
	all := map[string]map[string]field{}
	for _, c := range commands.Commands() {
		all[c.Name] = map[string]field{}
		for _, f := range c.Options {
			_, help := pflag.UnquoteUsage(f)
			label := otherwise.ReplaceAllString(help, " (empty = $1)")
			all[c.Name][f.Name] = field{Name: f.Name, Label: capital(label), Kind: f.Value.Type(),
				Default: f.DefValue}
		}
	}
	return all
}

// classes are the classes of points with their names and colours.
func classes() (all []map[string]any) {
	codes, legend := render.KnownClasses()
	for k, code := range codes {
		all = append(all, map[string]any{"code": code, "name": legend[k].Text, "color": legend[k].Color})
	}
	return all
}

// fields is what the QGIS plugin makes its fields from.
func fields() string {
	all := []field{}
	for _, s := range option.Specs() {
		label := s
		label.Choices = nil // the field lists them
		choices := s.ChoiceNames()
		if s.Name == "model" {
			choices = slices.Concat([]string{models.Auto}, embed.Builtins(), []string{models.Geometric})
		}
		all = append(all, field{
			Name: s.Name, Label: capital(line(&label)), Kind: string(s.Kind), Group: string(s.Group),
			Common:  s.Common,
			Default: s.Default, Choices: choices, Least: s.Range.Min, Most: s.Range.Max,
			Methods: s.Methods,
		})
	}
	var embedding []string
	for _, name := range method.Names(nil) {
		if method.Named(name).Embeds {
			embedding = append(embedding, name)
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	table := map[string]any{
		"comment": "Written by go generate ./filter from filter/option/table.go; do not edit.",
		"options": all, "methods_with_embedding": embedding, "commands": commandFields(),
		"classes": classes(),
	}
	if err := e.Encode(table); err != nil {
		panic(err) // a table of texts and numbers
	}
	return b.String()
}

// training is the command that this program does not know, because it takes the
// packages that train.
const training = "train"

// commandTable is a row a command.
func commandTable() string {
	var b strings.Builder
	b.WriteString("| command | does |\n|---|---|\n")
	for _, c := range commands.Commands() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.Line)
	}
	fmt.Fprintf(&b, "| `%s` | labelled files → a model |\n", training)
	return b.String()
}

// commandNames is the list that PDAL shows, in C++.
func commandNames() string {
	var names []string
	for _, c := range commands.Commands() {
		name, _, step := strings.Cut(c.Name, " ")
		if !step || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return licence +
		"// Written by go generate ./filter from pipelines/commands/commands.go; do not edit.\n" +
		"const char commandNames[] =\n    " +
		literal("Commands of superpoint: "+strings.Join(append(names, training), ", ")) + ";\n"
}

// commandOptions are the tables of the commands' own options, by section. A row that is the same in several
// commands stands in the section "common options" alone.
func commandOptions() map[string]string {
	var rows []string
	count := map[string]int{}
	for _, c := range commands.Commands() {
		for _, f := range c.Options {
			row := flagRow(c.Name, f)
			if count[row]++; count[row] == 2 {
				rows = append(rows, row)
			}
		}
	}
	const head = "| option | meaning | default |\n|---|---|---|\n"
	all := map[string]string{"commands": commandTable(), "common options": head + strings.Join(rows, "")}
	for _, c := range commands.Commands() {
		own := ""
		for _, f := range c.Options {
			if row := flagRow(c.Name, f); count[row] == 1 {
				own += row
			}
		}
		if own != "" {
			all[c.Name+" options"] = head + own
		}
	}
	return all
}

var otherwise = regexp.MustCompile(` \(default: (.*)\)$`)

// flagRow is the row of an option of a command.
func flagRow(of string, f *pflag.Flag) string {
	name, help := pflag.UnquoteUsage(f)
	fallback := "`" + f.DefValue + "`"
	if m := otherwise.FindStringSubmatch(help); m != nil {
		help, fallback = strings.TrimSuffix(help, m[0]), m[1]
	} else if f.DefValue == "" || f.DefValue == "[]" {
		fallback = ""
	} else if f.DefValue == "false" {
		fallback = "off"
	}
	return fmt.Sprintf("| `%s` | %s | %s |\n", strings.TrimSpace("--"+command.ShownName(of, f.Name)+" "+name),
		strings.ReplaceAll(help, "|", `\|`), fallback)
}
