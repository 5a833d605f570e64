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

// omitted are the inputs that are not in a map, and what decides whether it may be made without them.
type omitted struct {
	folder  string // of the map
	strict  bool   // a tile that cannot be read ends the run
	partial bool   // a map of fewer tiles than the former one replaces that
	missing []missing
}

// readable checks the tiles, and returns those that can be read. The others are missing.
func (o *omitted) readable(host command.Host, files []string, references command.References) (
	[]string, error) {
	for {
		err := layers.CheckTiles(host, references, files)
		var broken *layers.FilesError
		someLeft := errors.As(err, &broken) && len(broken.Files) < len(files)
		if o.strict || !someLeft {
			return files, err
		}
		for k, path := range broken.Files {
			host.Log(message.Error, broken.Errors[k].Error())
			o.leaveOut(path, broken.Errors[k])
		}
		files = without(files, broken.Files)
	}
}

// segmented returns the files of which segment has made tiles, from the error that it returned with them.
func (o *omitted) segmented(files []string, err error) ([]string, error) {
	var failed *segment.Failed
	someLeft := errors.As(err, &failed) && len(failed.Inputs) < len(files)
	if !someLeft {
		return files, err
	}
	for k, path := range failed.Inputs {
		o.leaveOut(path, failed.Errors[k])
	}
	return without(files, failed.Inputs), nil
}

// skip leaves out a result of a survey that cannot be read, and returns the other files. It fails if the map
// cannot do without.
func (o *omitted) skip(host command.Host, files []string, path string, err error) ([]string, error) {
	changed := errors.Is(err, job.ErrChanged) || host.Context().Err() != nil
	if o.strict || changed || len(files) < 2 {
		return files, err
	}
	host.Log(message.Error, err.Error())
	o.leaveOut(path, err)
	return without(files, []string{path}), o.checkFormer()
}

func (o *omitted) leaveOut(path string, err error) {
	o.missing = append(o.missing, missing{path, err.Error()})
}

// without returns files without some of them.
func without(files, some []string) []string {
	isOne := func(path string) bool { return slices.Contains(some, path) }
	return slices.DeleteFunc(slices.Clone(files), isOne)
}

// checkFormer fails if the former map in the folder has a tile that is missing now.
func (o *omitted) checkFormer() error {
	if o.partial || len(o.missing) == 0 {
		return nil
	}
	report, err := os.ReadFile(filepath.Join(o.folder, contents.Report))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	former := tilesOf(report)
	for _, x := range o.missing {
		names := []string{filepath.Base(x.Input), sources.ResultName(x.Input)}
		if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(former, name) }) {
			return fmt.Errorf(
				"%s cannot be read, and the map in %s has it: that map stays; correct the tile "+
					"and run again, or replace the map by one without the tile with --partial",
				x.Input, o.folder)
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

// incomplete returns the error about missing tiles, of a run that has written a map of some tiles; nil if
// none is missing.
func (o *omitted) incomplete(tiles int) error {
	if len(o.missing) == 0 {
		return nil
	}
	all := message.Count(len(o.missing)+tiles, "tile")
	return fmt.Errorf(
		"%d of %s missing in the map, the first %s; %s lists them. Correct them and run again: "+
			"finished tiles are kept", len(o.missing), all, o.missing[0].Input,
		filepath.Join(o.folder, contents.Report))
}

// hasPoints reports whether a file has points.
func hasPoints(path string) bool {
	n, err := sources.Inspect(path)
	return n != 0 || err != nil
}
