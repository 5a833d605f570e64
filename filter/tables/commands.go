package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"superpoint/filter/command"
)

// training is the command that this program does not know, because it takes the
// packages that train.
const training = "train"

// commandTable is a row a command.
func commandTable() string {
	var b strings.Builder
	b.WriteString("| command | does |\n|---|---|\n")
	for _, c := range command.Commands() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.Line)
	}
	fmt.Fprintf(&b, "| `%s` | labelled files → a model |\n", training)
	return b.String()
}

// commandNames is the list that PDAL shows, in C++.
func commandNames() string {
	var names []string
	for _, c := range command.Commands() {
		name, _, step := strings.Cut(c.Name, " ")
		if !step || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return "// Written by go generate ./filter from filter/command/command.go; do not edit.\n" +
		"const char commandNames[] =\n    " +
		literal("Commands of superpoint: "+strings.Join(append(names, training), ", ")) + ";\n"
}

// commandOptions are the tables of the commands' own options, by section.
func commandOptions() map[string]func() string {
	all := map[string]func() string{"commands": commandTable}
	for _, c := range command.Commands() {
		if len(c.Options) > 0 {
			all[c.Name+" options"] = func() string { return flagTable(c.Options) }
		}
	}
	return all
}

var otherwise = regexp.MustCompile(` \(default: (.*)\)$`)

// flagTable is a row an option.
func flagTable(flags []*pflag.Flag) string {
	var b strings.Builder
	b.WriteString("| option | meaning | default |\n|---|---|---|\n")
	for _, f := range flags {
		name, help := pflag.UnquoteUsage(f)
		fallback := "`" + f.DefValue + "`"
		if m := otherwise.FindStringSubmatch(help); m != nil {
			help, fallback = strings.TrimSuffix(help, m[0]), m[1]
		} else if f.DefValue == "" || f.DefValue == "[]" {
			fallback = ""
		} else if f.DefValue == "false" {
			fallback = "off"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.TrimSpace("--"+f.Name+" "+name), strings.ReplaceAll(help, "|", `\|`),
			fallback)
	}
	return b.String()
}
