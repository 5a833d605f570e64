package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"superpoint/filter"
	"superpoint/filter/command"
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
		fmt.Fprintf(&b, "%s\n\n: %s\n  \\[Default: %s\\]\n\n", s.Name, wrapped(text, "  "), byDefault(&s, ""))
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

// byDefault is the default between quotes, or in words.
func byDefault(s *filter.Spec, quote string) string {
	if s.Default == "" {
		return s.DefaultText
	}
	return quote + s.Default + quote
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

// wrapped breaks a text into lines; those after the first are indented.
func wrapped(text, indent string) string { return wrappedTo(width, text, indent) }

func wrappedTo(width int, text, indent string) string {
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

// lastSection is the one of the command with training, behind all others.
const lastSection = "\n## " + training + "\n"

// marks are the lines before and behind a section.
func marks(section string) (before, behind string) {
	return "<!-- " + section + ": go generate ./filter -->\n", "<!-- end of " + section + " -->\n"
}

// withSections adds to the page of commands a section for each that has none: what
// its help says, with its examples as a block, to be edited there.
func withSections(page []byte) ([]byte, error) {
	for _, c := range command.Commands() {
		before, behind := marks(c.Name + " options")
		if len(c.Options) == 0 || bytes.Contains(page, []byte(before)) {
			continue
		}
		head, tail, found := bytes.Cut(page, []byte(lastSection))
		if !found {
			return nil, fmt.Errorf("the page of commands has no line %q", strings.TrimSpace(lastSection))
		}
		section := "\n## " + c.Name + "\n" + described(c.Usage) + "\n" + before + behind
		page = bytes.Join([][]byte{head, []byte(section), []byte(lastSection), tail}, nil)
	}
	return page, nil
}

// described is the help of a command as Markdown: without its arguments and the line
// before the options, and what is indented as a block.
func described(usage string) string {
	var b strings.Builder
	paragraphs := strings.Split(strings.TrimSuffix(usage, "\n\nThe options:"), "\n\n")
	for _, p := range paragraphs[1:] {
		if strings.HasPrefix(p, "  ") {
			kind := "" // of commands, which are tested, sh
			if strings.HasPrefix(p, "  pdal ") {
				kind = "sh"
			}
			p = "```" + kind + "\n" + strings.ReplaceAll(strings.TrimRight(p[2:], "\n"), "\n  ", "\n") + "\n```"
		}
		b.WriteString("\n" + p + "\n")
	}
	return b.String()
}
