// SPDX-License-Identifier: BSD-3-Clause

// Licences writes the licences of everything that the libraries are linked of:
// this project's, Go's, and those of each module, as their authors ask of
// whoever hands out programs. Packages and the Python wheel carry the file.
//
//	go run ./filter/pdal/packages/licences LICENCES
//
// It fails if a module has no licence that it knows by its name. It is no go-licenses, which asks the network for every
// module in every build, and leaves out Go's own licence, notices and patents.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var names = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)

func main() {
	err := errors.New("name the file to write")
	if len(os.Args) == 2 {
		var text bytes.Buffer
		if err = write(&text); err == nil {
			err = os.WriteFile(os.Args[1], text.Bytes(), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func write(w io.Writer) error {
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	modules, err := output("go", "list", "-deps", "-tags", "train,nvidia",
		"-f", "{{with .Module}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}", "./cexport")
	if err != nil {
		return err
	}
	lines := strings.Split(modules, "\n")
	slices.Sort(lines)
	if _, err := os.Stat(filepath.Join(root, "LICENSE")); err == nil { // a distribution's Go has it elsewhere
		lines = append(lines, "Go\t"+root)
	}
	for _, line := range slices.Compact(lines) {
		name, folder, ok := strings.Cut(line, "\t")
		if !ok {
			continue // Go's own packages
		}
		if err := folderTexts(w, strings.TrimSpace(name), folder); err != nil {
			return err
		}
	}
	return nil
}

// folderTexts prints the licences that lie in a module's folder.
func folderTexts(w io.Writer, module, folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return err
	}
	found := false
	for _, file := range files {
		if !names.MatchString(filepath.Base(file)) {
			continue
		}
		more := []string{file}
		if inside, err := filepath.Glob(filepath.Join(file, "*")); err == nil && len(inside) > 0 {
			more = inside // a folder of licences
		}
		for _, file := range more {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			text = bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
			if _, err := fmt.Fprintf(w, "==== %s: %s\n\n%s\n\n", module, filepath.Base(file), text); err != nil {
				return err
			}
			found = true
		}
	}
	if !found {
		return fmt.Errorf("%s has no licence in %s; add its file's name here", module, folder)
	}
	return nil
}

func output(name string, arguments ...string) (string, error) {
	command := exec.Command(name, arguments...)
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	return strings.TrimSpace(string(text)), nil
}
