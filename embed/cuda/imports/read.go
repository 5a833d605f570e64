package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// room is a package.
type room struct {
	kernels []string        // files with kernels
	imports map[string]bool // packages of the project
	code    bool
}

// read returns the packages below embed, filter and partition.
func read(top string) (map[string]*room, error) {
	rooms := map[string]*room{}
	for _, folder := range []string{"embed", "filter", "partition"} {
		err := filepath.WalkDir(filepath.Join(top, folder), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				if err == nil && strings.HasPrefix(e.Name(), "_") {
					return filepath.SkipDir
				}
				return err
			}
			within, err := filepath.Rel(top, filepath.Dir(path))
			if err != nil {
				return err
			}
			name := filepath.ToSlash(within)
			if rooms[name] == nil {
				rooms[name] = &room{imports: map[string]bool{}}
			}
			return rooms[name].add(path)
		})
		if err != nil {
			return nil, err
		}
	}
	return rooms, nil
}

// add reads one file.
func (r *room) add(path string) error {
	if strings.HasSuffix(path, ".cu") {
		r.kernels = append(r.kernels, filepath.Base(path))
	}
	if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	r.code = true
	for _, i := range file.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return err
		}
		if within, ok := strings.CutPrefix(name, "superpoint/"); ok {
			r.imports[within] = true
		}
	}
	return nil
}

// choose leaves the packages that are drawn, and their imports of one another
// without those that others imply.
func choose(all map[string]*room, machine []string) map[string]*room {
	drawn := map[string]*room{}
	for name, r := range all {
		imports := slices.ContainsFunc(machine, func(m string) bool { return r.imports[m] })
		if r.code && (imports || slices.Contains(machine, name) || len(r.kernels) > 0) {
			drawn[name] = &room{kernels: r.kernels, imports: maps.Clone(r.imports)}
		}
	}
	for _, r := range drawn {
		maps.DeleteFunc(r.imports, func(name string, _ bool) bool { return drawn[name] == nil })
	}
	for _, r := range drawn {
		for name := range maps.Clone(r.imports) {
			for other := range r.imports {
				if other != name && reaches(drawn, other, name) {
					delete(r.imports, name)
				}
			}
		}
	}
	return drawn
}

// reaches tells whether one package imports another, perhaps through others.
func reaches(rooms map[string]*room, from, to string) bool {
	for name := range rooms[from].imports {
		if name == to || reaches(rooms, name, to) {
			return true
		}
	}
	return false
}
