package main

import (
	"bytes"
	"fmt"
	"strings"

	"superpoint/filter/command"
)

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
			p = "```sh\n" + strings.ReplaceAll(p[2:], "\n  ", "\n") + "\n```"
		}
		b.WriteString("\n" + p + "\n")
	}
	return b.String()
}
