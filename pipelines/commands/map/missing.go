// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"superpoint/filter/message"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/commands/segment"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
	"superpoint/pipelines/layers"
)

// missing is an input that is not in the map, because it cannot be read.
type missing struct {
	Input string
	Error string
}

// readable checks the tiles, and returns those that can be read. The others are missing.
func (m *mapping) readable(files []string, references command.References) ([]string, error) {
	for {
		err := layers.CheckTiles(m.Host, references, files)
		var broken *layers.FilesError
		someLeft := errors.As(err, &broken) && len(broken.Files) < len(files)
		if m.strict || !someLeft {
			return files, err
		}
		for k, path := range broken.Files {
			m.Host.Log(message.Error, broken.Errors[k].Error())
			m.leaveOut(path, broken.Errors[k])
		}
		files = without(files, broken.Files)
	}
}

// segmented returns the files of which segment has made tiles, from the error that it returned with them.
func (m *mapping) segmented(files []string, err error) ([]string, error) {
	var failed *segment.Failed
	someLeft := errors.As(err, &failed) && len(failed.Inputs) < len(files)
	if !someLeft {
		return files, err
	}
	for k, path := range failed.Inputs {
		m.leaveOut(path, failed.Errors[k])
	}
	return without(files, failed.Inputs), nil
}

// skip leaves out a result of a survey that cannot be read. It fails if the map cannot do without.
func (m *mapping) skip(path string, err error) error {
	changed := errors.Is(err, job.ErrChanged) || m.Host.Context().Err() != nil
	if m.strict || changed || len(m.files) < 2 {
		return err
	}
	m.Host.Log(message.Error, err.Error())
	m.leaveOut(path, err)
	m.files = without(m.files, []string{path})
	return m.checkFormer()
}

func (m *mapping) leaveOut(path string, err error) {
	m.missing = append(m.missing, missing{path, err.Error()})
}

// without returns files without some of them.
func without(files, some []string) []string {
	isOne := func(path string) bool { return slices.Contains(some, path) }
	return slices.DeleteFunc(slices.Clone(files), isOne)
}

// checkFormer fails if the former map in the folder has a tile that is missing now.
func (m *mapping) checkFormer() error {
	if m.partial || len(m.missing) == 0 {
		return nil
	}
	report, err := os.ReadFile(filepath.Join(m.folder, contents.Report))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	former := tilesOf(report)
	for _, x := range m.missing {
		names := []string{filepath.Base(x.Input), sources.ResultName(x.Input)}
		if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(former, name) }) {
			return fmt.Errorf(
				"%s cannot be read, and the map in %s has it: that map stays; correct the tile "+
					"and run again, or replace the map by one without the tile with --partial",
				x.Input, m.folder)
		}
	}
	return nil
}

// tileName matches the name of a tile in a report.
var tileName = regexp.MustCompile(`<meta name="superpoint-tile" content="([^"]*)">`)

// tilesOf returns the names of the tiles of a map from its report.
func tilesOf(report []byte) (names []string) {
	for _, match := range tileName.FindAllSubmatch(report, -1) {
		names = append(names, html.UnescapeString(string(bytes.TrimSpace(match[1]))))
	}
	return names
}

// incomplete returns the error about missing tiles, of a run that has written its map; nil if there are none.
func (m *mapping) incomplete() error {
	if len(m.missing) == 0 {
		return nil
	}
	all := message.Count(len(m.missing)+len(m.files), "tile")
	return fmt.Errorf(
		"%d of %s missing in the map, the first %s; %s lists them. Correct them and run again: "+
			"finished tiles are kept", len(m.missing), all, m.missing[0].Input,
		filepath.Join(m.folder, contents.Report))
}

// hasPoints reports whether a file has points.
func hasPoints(path string) bool {
	n, err := sources.Inspect(path)
	return n != 0 || err != nil
}
