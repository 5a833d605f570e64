// SPDX-License-Identifier: BSD-3-Clause

// Package mapcmd is the command map: layers, rasters and a report of raw tiles.
package mapcmd

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"superpoint/filter/message"
	"superpoint/partition/base/arrays"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/commands/map/rasters"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/commands/segment"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
	"superpoint/pipelines/layers"
)

const mapUsage = `[options] IN… FOLDER

Computes classes, objects, terrain and a report from raw tiles of airborne scans, in one
folder:

  points/       the tiles with superpoints, classes and confidence, under their names
  objects.gpkg  buildings, trees, crowns and bodies of water, with styles for QGIS
  buildings.city.json  the buildings as solids (CityJSON 2.0), except with degrees
  terrain.tif   height of the ground (mean of its points), filled below buildings and trees
  surface.tif   height of the surface (highest point of a cell), without noise
  canopy.tif    height of the surface above the terrain
  map.png       the classes seen from above, with legend and scale
  counts.csv    points, share and confidence of each class in each tile
  report.html   counts of classes, confidence, objects, and what to check

IN is as for segment, or the results of a survey with classes (survey plan --classifier aerial).
Results of a survey are mapped as they are: there is no folder points/, and their superpoints
have no seams. The map has only the tiles of IN, also if points/ has others. The number of tiles
is not limited by memory.

Points of class 0 and 1 are classified; --class_change all also replaces other classes. Groups
of fewer than 10 points, 100 m and more from the rest of the tile, are ignored. Water is level.
The terrain has no data in holes wider than 32 m, or 16 times the spacing of ground points.
Without points of class ground there is no terrain.tif and canopy.tif. With degrees, or tiles too
far apart for one raster, there are no rasters.

A tile appears in points/ when it is complete. If a later step fails or is interrupted, the next
run computes only what is missing or has other inputs or options. The other files are read again
and checked, and appear together at the end. If a tile cannot be read, the map is made without
it, the report says so, and the exit code is 1; a former map that has the tile stays (see
--partial and --strict).

  pdal superpoint map tile1.laz tile2.laz results
  pdal superpoint map --resolution 0.5 --class_change all folder/ results
  pdal superpoint map project/out results
  pdal superpoint map --min_area 25 --min_object_confidence 0.7 input.laz results

The options, including those of the stage:`

// bytesPerPoint is the memory that the command needs for a point of a tile.
const bytesPerPoint = 150

// Command is the command map.
func Command() command.Command {
	return command.Command{Name: "map", Line: "classes, objects, terrain and a report from raw tiles",
		Usage: mapUsage, Define: mapCommand, Bytes: bytesPerPoint}
}

func mapCommand(a *command.Arguments) func(names []string) error {
	m := &mapping{
		Finding: objects.NewFinding(&table.Superpoints{Host: a.Host, Args: a, Id: "SuperpointID",
			Class: "Classification"}),
	}
	m.OnFile = m.count
	a.OutputOption("`folder` to write")
	m.LimitOptions(a)
	a.FloatOption(&m.Resolution, "resolution", 1, 0.01, command.MaxLength,
		"cell size of the rasters, metres")
	a.FloatOption(&m.MinWater, "min_water", rasters.DefaultMinWater, 0, command.MaxLength,
		"smallest body of water, square metres")
	r := segment.Request{Files: &a.Files, Say: a.Say}
	r.AreaOption(a)
	a.BoolVar(&r.COPC, "copc", false, "write points as COPC (PDAL 2.4 and newer)")
	a.ForceFolderOption("compute existing tiles again")
	a.BoolVar(&m.strict, "strict", false, "stop at the first tile that cannot be read")
	a.BoolVar(&m.partial, "partial", false,
		"replace an older map even if some of its tiles are unreadable now")
	a.StageOptions(
		command.AllGroups(),
		"classes",
		"class_dimension",
		"dimension",
		"vote",
		"first_id",
	)
	a.Rare("method", "regularization")
	classifier := a.String("classes", "aerial", "`classifier`: built-in or a file of train --classes")
	a.Reads = append(a.Reads, "classes")
	return func(names []string) error {
		options, err := a.Options(map[string]string{"classes": *classifier})
		if err != nil {
			return err
		}
		from, to, err := a.Split(names)
		if err != nil {
			return err
		}
		if len(from) == 0 || to == "" {
			return errors.New(
				"name the point clouds, and last the folder to write: pdal superpoint map IN… FOLDER")
		}
		m.Threads = options.Threads
		r.Options, r.References = a.Given(), a.References
		r.Options["classes"] = *classifier
		m.folder = to
		return m.make(from, r)
	}
}

// make makes the map of some files.
func (m *mapping) make(from []string, r segment.Request) error {
	began := time.Now()
	m.Args.Files.Input(from...)
	release, err := m.Args.Files.Folder(m.folder)
	if err != nil {
		return err
	}
	defer release()
	results, err := m.results()
	if err != nil {
		return err
	}
	files, err := sources.Files(from, nil) // after the outputs are known not to be inputs
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(files, hasPoints) {
		return fmt.Errorf("%s: the input has no points; name another", files[0])
	}
	survey, err := surveyOf(files)
	if err != nil {
		return err
	}
	if files, err = m.readable(m.Host, files, r.References); err != nil {
		return err
	}
	if err := m.setClasses(survey, files[0], r); err != nil {
		return err
	}
	if survey != nil {
		err = m.mapSurvey(results, files)
	} else {
		err = m.mapTiles(results, files, r)
	}
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s: %s in %s, %s; see %s; %.1f s", m.folder,
		message.Count(m.counts.points, "point"), message.Count(len(m.files), "tile"), m.Found(),
		filepath.Join(m.folder, contents.Report), time.Since(began).Seconds())
	m.Host.Log(message.Info, text)
	return m.incomplete(len(m.files))
}

// results registers the files of the map as outputs.
func (m *mapping) results() (all []*atomicfile.Output, err error) {
	for _, name := range contents.Files() {
		to, err := m.Args.Files.Output(filepath.Join(m.folder, name))
		if err != nil {
			return nil, err
		}
		all = append(all, to)
	}
	return all, nil
}

// setClasses sets what depends on the classifier, which a survey has chosen if the files are its results.
func (m *mapping) setClasses(survey *job.Record, first string, r segment.Request) (err error) {
	options := r.Options
	if survey != nil {
		if options, err = classesOfSurvey(survey, first, r); err != nil {
			return err
		}
	}
	if m.classification, err = classificationOf(options); err != nil {
		return err
	}
	if m.LowVegetation, err = heightOfLowVegetation(options["vegetation_heights"]); err != nil {
		return err
	}
	return m.SetCodes(m.codes.Of)
}

// mapSurvey makes the map of results of a survey, as they are.
func (m *mapping) mapSurvey(results []*atomicfile.Output, files []string) error {
	m.folderOfTiles = filepath.Dir(files[0])
	m.Skip = func(path string, err error) error {
		m.files, err = m.skip(m.Host, m.files, path, err)
		return err
	}
	return m.mapFiles(results, files, files)
}

// mapTiles segments tiles and makes the map of them.
func (m *mapping) mapTiles(results []*atomicfile.Output, files []string, r segment.Request) error {
	work, done, err := atomicfile.Workspace(m.folder)
	if err != nil {
		return err
	}
	defer done()
	m.folderOfTiles = contents.Points
	m.columns = &segment.Columns{Folder: work, Most: int64(m.WindowLimits.Points)}
	r.Columns = m.columns
	r.Strict = m.strict
	points := filepath.Join(m.folder, contents.Points) + string(filepath.Separator)
	tiles, err := segment.Run(m.Host, files, points, r) // the folder may have tiles of other runs, too
	if files, err = m.segmented(files, err); err != nil {
		return err
	}
	return m.mapFiles(results, files, tiles)
}

// mapFiles makes the map of tiles that have superpoints and classes, and were made of some files.
func (m *mapping) mapFiles(results []*atomicfile.Output, files, tiles []string) (err error) {
	if m.files, err = sources.Files(tiles, nil); err != nil {
		return err
	}
	if err := m.checkFormer(); err != nil {
		return err
	}
	return m.finish(results, files, tiles)
}

// finish writes the results into a work folder, and gives them their places when all are complete. Messages
// have the names of the files of which the tiles were made.
func (m *mapping) finish(results []*atomicfile.Output, files, tiles []string) error {
	set, err := atomicfile.NewSet(m.folder, results...)
	if err != nil {
		return err
	}
	defer set.Close()
	m.work = set.Work
	names := []string{m.work, m.folder}
	for k, tile := range tiles {
		if path, err := filepath.Abs(tile); err == nil {
			names = append(names, path, files[k])
		}
	}
	h := named{m.Host, strings.NewReplacer(names...)}
	m.Host = h
	if m.columns != nil {
		m.Host = columnsHost{h, m.Args, m.columns, bytesPerPoint}
	}
	if err := m.writeResults(); err != nil {
		return renamed{err, h.Replace(err.Error())}
	}
	return set.Commit()
}

// writeResults finds the objects and writes the results into the folder work.
func (m *mapping) writeResults() error {
	m.Segmented = true
	if err := m.Find(m.files); err != nil {
		return err
	}
	to, err := m.output(contents.Objects)
	if err != nil {
		return err
	}
	out, err := layers.NewVectors(m.Host, to)
	if err != nil {
		return err
	}
	m.classes = m.counts.classes(!m.NoConfidence)
	steps, failed := []func() error{m.makeRasters, m.picture}, make([]error, 2)
	run := m.Run("rasters and picture")
	run.Progress(0)
	err = run.ForEach(len(steps), 1, func(k int) { failed[k] = steps[k]() })
	m.sample = sample{}
	arrays.Collect()
	if err := cmp.Or(err, failed[0], failed[1]); err != nil {
		return err
	}
	found := m.Layers(m.files[0])
	if m.model != nil {
		found = append(found, m.waterLayer())
	}
	if err := out.Write(found...); err != nil {
		return err
	}
	if err := m.solids(); err != nil {
		return err
	}
	if err := m.writeCounts(); err != nil {
		return err
	}
	if err := m.report(); err != nil {
		return err
	}
	return m.keepPromises()
}
