// Command evidence keeps what comparisons measured, and writes the tables of the
// pages from it:
//
//	go run ./filter/compare/evidence keep NAME REPORT/results.csv…   → filter/compare/cells/NAME.csv
//	go run ./filter/compare/evidence peers REPORT/results.csv…       → the cells of PEERS.md, of those files
//	go run ./filter/compare/evidence sum REPORT/results.csv…         → one table of all files together
//	go run ./filter/compare/evidence                                 → the tables of EVIDENCE.md, PEERS.md and RESULTS.md
//
// The cells are committed, the weights of the ablation are not. A test makes the
// tables again and compares.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// folder is that of the pages, from the top of the checkout.
const folder = "filter/compare"

// section is what stands between two marks of a page.
type section struct {
	page, name string
	text       func(cells string) (string, error)
}

func sections() []section {
	return []section{
		{"EVIDENCE.md", "ablation", ablationTables},
		{"EVIDENCE.md", "any", anyTables},
		{"EVIDENCE.md", "clusters", searchTable},
		{"EVIDENCE.md", "kinds", paperTables},
		{"PEERS.md", "settings", settingTable},
		{"PEERS.md", "cells", peerTables},
		{"RESULTS.md", "kinds", shippedTables},
	}
}

// marks are the lines before and behind a section.
func marks(name string) (before, behind string) {
	return "<!-- " + name + ": go run ./filter/compare/evidence -->\n", "<!-- end of " + name + " -->\n"
}

// render puts a section of a page in its place.
func (s *section) render(page []byte, cells string) ([]byte, error) {
	text, err := s.text(cells)
	if err != nil {
		return nil, err
	}
	before, behind := marks(s.name)
	head, rest, begins := bytes.Cut(page, []byte(before))
	_, tail, ends := bytes.Cut(rest, []byte(behind))
	if !begins || !ends {
		return nil, fmt.Errorf("%s has no lines %q and %q", s.page, before, behind)
	}
	return bytes.Join([][]byte{head, []byte(before), []byte("\n" + strings.TrimSpace(text) + "\n\n"), []byte(behind),
		tail}, nil), nil
}

// pages writes all sections into the pages of a folder.
func pages(folder string) error {
	for _, s := range sections() {
		path := filepath.Join(folder, s.page)
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err := s.render(old, filepath.Join(folder, "cells"))
		if err != nil {
			return err
		}
		if bytes.Equal(old, text) {
			continue
		}
		if err := save(path, text); err != nil {
			return err
		}
	}
	return nil
}

func run(args []string) error {
	switch {
	case len(args) == 0:
		return pages(folder)
	case len(args) > 1 && args[0] == "sum":
		text, err := sumTable(args[1:])
		if err != nil {
			return err
		}
		_, err = fmt.Print(text)
		return err
	case len(args) > 1 && args[0] == "peers":
		var all []cell
		for _, file := range args[1:] {
			some, err := readCells(file)
			if err != nil {
				return err
			}
			all = append(all, some...)
		}
		_, err := fmt.Print(duelTables(whole(all)))
		return err
	case len(args) > 2 && args[0] == "keep":
		return keep(filepath.Join(folder, "cells", args[1]+".csv"), args[2:])
	}
	return fmt.Errorf("arguments %q; give none, keep NAME, peers or sum, and REPORT/results.csv…", args)
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "evidence:", err)
		os.Exit(1)
	}
}
