// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"superpoint/filter"
)

// optionList is a definition an option, as in the pages of PDAL's stages.
func optionList() string {
	var b strings.Builder
	for _, s := range filter.Specs() {
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

// width is that of a line of the pages.
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
