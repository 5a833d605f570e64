package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"superpoint/filter"
	"superpoint/filter/method"
	"superpoint/partition/metrics"
)

// cplusplus is the rows of Options.cpp.
func cplusplus() string {
	var b strings.Builder
	b.WriteString("// Written by go generate ./filter from filter/options.go; do not edit.\n")
	for _, s := range filter.Specs() {
		fmt.Fprintf(&b, "{ %q, %q,\n    %s },\n", s.Name, s.Default, literal(capital(unlinked(line(&s)))))
	}
	return b.String()
}

// line is the help of an option whose default PDAL shows beside it.
func line(s *filter.Spec) string {
	plain := *s
	plain.Help = unlinked(s.Help)
	return plain.Line()
}

// literal is a string of C++, in pieces that fit a line.
func literal(text string) string {
	return strings.ReplaceAll(strconv.Quote(wrappedTo(width-6, text, "    ")), `\n    `, " \"\n    \"")
}

func capital(text string) string { return strings.TrimSuffix(sentence(text), ".") }

// field is an option as a dialog shows it.
type field struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Kind    string   `json:"kind"`
	Group   string   `json:"group"`
	Common  bool     `json:"common"`
	Default string   `json:"default"`
	Choices []string `json:"choices,omitempty"`
	Least   float64  `json:"least"`
	Above   bool     `json:"above"` // the least itself is excluded
	Most    float64  `json:"most"`
	Methods []string `json:"methods,omitempty"`
}

// scores are the metrics that eval finds, as outputs of an algorithm.
func scores() (all []map[string]string) {
	for _, s := range metrics.Table() {
		all = append(all, map[string]string{"column": s.Name, "label": capital(s.Help),
			"output": strings.ToUpper(strings.ReplaceAll(s.Label, " ", "_"))})
	}
	return all
}

// fields is what the QGIS plugin makes its fields from.
func fields() string {
	all := []field{}
	for _, s := range filter.Specs() {
		label := s
		label.Choices = nil // the field lists them
		all = append(all, field{
			Name: s.Name, Label: capital(line(&label)), Kind: string(s.Kind), Group: string(s.Group), Common: s.Common,
			Default: s.Default, Choices: s.ChoiceNames(), Least: s.Range.Least, Above: s.Range.Above, Most: s.Range.Most,
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
		"comment": "Written by go generate ./filter from filter/options.go; do not edit.",
		"options": all, "methods_with_embedding": embedding, "scores": scores(),
	}
	if err := e.Encode(table); err != nil {
		panic(err) // a table of texts and numbers
	}
	return b.String()
}
