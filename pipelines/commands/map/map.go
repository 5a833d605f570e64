// SPDX-License-Identifier: BSD-3-Clause

// Package mapcmd is the command map: layers, rasters and a report of raw tiles.
package mapcmd

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"superpoint/filter/land"
	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/commands/render"
	"superpoint/pipelines/commands/segment"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/land/raster"
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

IN is as for segment, or the results of a survey with classes (survey plan --classifier aerial):
these are mapped as they are, without points/, and their superpoints have no seams. A tile of
points/ appears when it is complete, and is kept if a later step fails or is interrupted: the
next run computes only what is not there, or has other inputs or options. The other files are
of one run, and appear together at its end. The map has only the tiles of IN, also if points
has others. Points of class 0 and 1 are classified; --class_change all also replaces other
classes. The number of tiles is not limited by memory. Groups of fewer than 10 points,
100 m and more from the rest of the tile, are ignored. Without points of class ground there
is no terrain.tif and canopy.tif; with degrees, or tiles too far from one another for one
raster, there are no rasters. Holes of the terrain that are wider than 32 m, or 16 times the
spacing of ground points, have no data. Water is level. The files are read again and checked
before they appear. If a tile cannot be read, the map is made without it, the report says so,
and the exit code is 1; a former map that has the tile stays (see --partial and --strict).

  pdal superpoint map tile1.laz tile2.laz results
  pdal superpoint map --resolution 0.5 --class_change all folder/ results
  pdal superpoint map project/out results
  pdal superpoint map --min_area 25 --min_object_confidence 0.7 input.laz results

The options, and those of the stage:`

// mapping is one run of map.
type mapping struct {
	*objects.Finding
	folder     string
	work       string  // folder of the results until all are complete
	resolution float64 // metres
	cover      float64 // greatest height of low vegetation, metres
	files      []string
	// folderOfTiles is where the files are: the folder of a survey, or pointsFolder.
	folderOfTiles string
	columns       *segment.Columns // of the tiles that this run made; nil if it made none
	strict        bool             // a tile that cannot be read ends the run
	partial       bool             // a map of fewer tiles than the former one replaces that
	missing       []missing
	points        int
	codes         land.CodeTable
	back          map[int]int         // codes of LAS by codes of the files
	counts        map[int]*classCount // by code
	tiles         []tileCounts
	classes       []classCount // by number of points, descending
	sample        sample       // for the picture
	// of the points that are not noise, nor far from all others; nil without rasters
	bins       *raster.Bins
	model      *raster.Model // nil without rasters
	confidence *raster.Bins  // of the points of water, in place of heights
	minWater   float64       // smallest body of water, square metres
	water      []lake        // the largest first
	shown      []bool        // whether a body of the model is in water
	coarsest   int           // cells along a side of the widest ones on which a body was outlined
	witness    *witness      // of the promises
	written    []string      // rasters
	limits     []string      // of the classifier
}

// The files of a map.
const (
	mapObjects = "objects.gpkg"
	mapSolids  = "buildings.city.json"
	mapTerrain = "terrain.tif"
	mapSurface = "surface.tif"
	mapCanopy  = "canopy.tif"
	mapPicture = "map.png"
	mapCounts  = "counts.csv"
	mapReport  = "report.html"

	pointsFolder = "points"
)

func names() []string {
	return []string{mapObjects, mapSolids, mapTerrain, mapSurface, mapCanopy, mapPicture, mapCounts,
		mapReport}
}

// classCount has the statistics of a class.
type classCount struct {
	Code       int
	Name       string
	Points     int
	Share      float64 // of all points
	Confidence float64 // mean ClassConfidence of the points that got this class; NaN if unknown
	given      int     // number of these points
}

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
		counts: map[int]*classCount{},
	}
	m.OnFile = m.count
	a.OutputOption("`folder` to write")
	m.LimitOptions(a)
	a.FloatOption(&m.resolution, "resolution", 1, 0.01, command.MaxLength,
		"side of a cell of terrain and surface, metres")
	a.FloatOption(&m.minWater, "min_water", defaultMinWater, 0, command.MaxLength,
		"smallest body of water, square metres")
	r := segment.Request{Files: &a.Files, Say: a.Say}
	r.AreaOption(a)
	a.BoolVar(&r.COPC, "copc", false, "write points as COPC (PDAL 2.4 and newer)")
	a.ForceFolderOption("compute existing tiles again")
	a.BoolVar(&m.strict, "strict", false, "stop at the first tile that cannot be read")
	a.BoolVar(&m.partial, "partial", false, "replace a map that has tiles which cannot be read now")
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

func (m *mapping) make(from []string, r segment.Request) error {
	began := time.Now()
	m.Args.Files.Input(from...)
	release, err := m.Args.Files.Folder(m.folder)
	if err != nil {
		return err
	}
	defer release()
	var results []*atomicfile.Output
	for _, name := range names() {
		to, err := m.Args.Files.Output(filepath.Join(m.folder, name))
		if err != nil {
			return err
		}
		results = append(results, to)
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
	if files, err = m.readable(files, r.References); err != nil {
		return err
	}
	options := r.Options
	if survey != nil {
		if options, err = m.classesOfSurvey(survey, files[0], r); err != nil {
			return err
		}
	}
	if err := m.setClasses(options); err != nil {
		return err
	}
	tiles := files
	if survey != nil {
		m.folderOfTiles = filepath.Dir(files[0])
		m.Skip = m.skip
	} else {
		work, done, err := atomicfile.Workspace(m.folder)
		if err != nil {
			return err
		}
		defer done()
		m.folderOfTiles = pointsFolder
		m.columns = &segment.Columns{Folder: work, Most: int64(m.WindowLimits.Points)}
		r.Columns = m.columns
		r.Strict = m.strict
		points := filepath.Join(m.folder, pointsFolder) + string(filepath.Separator)
		tiles, err = segment.Run(m.Host, files, points, r) // the folder may have tiles of other runs, too
		if files, err = m.segmented(files, err); err != nil {
			return err
		}
	}
	if m.files, err = sources.Files(tiles, nil); err != nil {
		return err
	}
	if err := m.checkFormer(); err != nil {
		return err
	}
	if err := m.finish(results, files, tiles); err != nil {
		return err
	}
	m.Host.Log(message.Info, fmt.Sprintf("%s: %s in %s, %s; see %s", m.folder,
		message.Count(m.points, "point"),
		message.Count(len(m.files), "tile"), m.Found(), filepath.Join(m.folder, mapReport))+
		fmt.Sprintf("; %.1f s", time.Since(began).Seconds()))
	return m.incomplete()
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
	if err := m.steps(); err != nil {
		return renamed{err, h.Replace(err.Error())}
	}
	return set.Commit()
}

// steps writes the results into the folder work.
func (m *mapping) steps() error {
	m.Segmented = true
	if err := m.Find(m.files); err != nil {
		return err
	}
	to, err := m.output(mapObjects)
	if err != nil {
		return err
	}
	out, err := layers.NewVectors(m.Host, to)
	if err != nil {
		return err
	}
	m.sort()
	steps, failed := []func() error{m.rasters, m.picture}, make([]error, 2)
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

// solids writes the buildings as solids, except with degrees.
func (m *mapping) solids() error {
	if !m.HasSolids() {
		return nil
	}
	to, err := m.output(mapSolids)
	if err != nil {
		return err
	}
	return m.WriteSolids(to)
}

// output returns a file of the folder work.
func (m *mapping) output(name string) (*atomicfile.Output, error) {
	return (&atomicfile.Files{Context: m.Host.Context()}).Output(filepath.Join(m.work, name))
}

// named is a host that replaces names in messages, and renamed an error with replaced names.
type named struct {
	command.Host
	*strings.Replacer
}

func (n named) Log(level int, text string) { n.Host.Log(level, n.Replace(text)) }

type renamed struct {
	error
	text string
}

func (e renamed) Error() string { return e.text }
func (e renamed) Unwrap() error { return e.error }

// setClasses sets what depends on the classifier and its codes.
func (m *mapping) setClasses(given map[string]string) error {
	model, err := models.Classes("classes", given["classes"])
	if err != nil {
		return err
	}
	m.limits = model.Card.Training.Limits
	if m.cover, err = heightOfCover(given["vegetation_heights"]); err != nil {
		return err
	}
	if m.codes, err = land.ParseClassCodes(model, given["class_codes"]); err != nil {
		return err
	}
	if m.back, err = m.codes.Back(); err != nil {
		return err
	}
	return m.SetCodes(m.codes.Of)
}

// defaultCover is the height in metres at which vegetation is medium and no longer low (ASPRS, LAS 1.4).
const defaultCover = 0.5

// heightOfCover returns the greatest height of low vegetation by the option vegetation_heights. If that says
// that no vegetation is low, points of this class have it from elsewhere.
func heightOfCover(option string) (float64, error) {
	if option == "" {
		return defaultCover, nil
	}
	heights, err := land.VegetationHeights(option)
	if err != nil || heights[0] == 0 {
		return defaultCover, err
	}
	return heights[0], nil
}

// count counts the classes of a tile. It collects the points that are near others for the rasters and the
// picture, with their classes as codes of LAS.
func (m *mapping) count(path string, c *command.Columns, near []*command.Columns) {
	tile := m.countTile(path, c)
	m.tiles = append(m.tiles, tile)
	for code, of := range tile.classes {
		if m.counts[code] == nil {
			m.counts[code] = &classCount{Code: code, Name: of.Name}
		}
		sum := m.counts[code]
		sum.Points += of.Points
		sum.Confidence += of.Confidence
		sum.given += of.given
	}
	m.points += len(c.X)
	for _, c := range near {
		class := c.Dimensions[m.Class]
		for i, v := range class {
			if of, is := m.back[int(v)]; is {
				class[i] = float64(of)
			}
		}
		m.collect(c)
		m.sample.add(c, m.Class, m.Id)
	}
}

// sort sets classes from counts.
func (m *mapping) sort() {
	for _, c := range m.counts {
		c.Share = float64(c.Points) / float64(m.points)
		if c.Confidence /= float64(c.given); m.NoConfidence { // NaN without points
			c.Confidence = math.NaN()
		}
		m.classes = append(m.classes, *c)
	}
	slices.SortFunc(m.classes, func(a, b classCount) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Code, b.Code))
	})
}

// sample holds every n-th point of the tiles, at most samplePoints of them; n is doubled when there are more.
type sample struct {
	render.Columns
	every int // n, a power of two
}

const samplePoints = 1 << 22 // twice the pixels of a picture

func (s *sample) add(c *command.Columns, names ...string) {
	if s.every == 0 {
		s.every, s.Dimensions = 1, map[string][]float64{}
	}
	s.grow((len(c.X)+s.every-1)/s.every, names)
	for i := 0; i < len(c.X); i += s.every {
		s.X, s.Y, s.Z = append(s.X, c.X[i]), append(s.Y, c.Y[i]), append(s.Z, c.Z[i])
		for _, name := range names {
			s.Dimensions[name] = append(s.Dimensions[name], c.Dimensions[name][i])
		}
	}
	for ; len(s.X) > samplePoints; s.every *= 2 {
		s.X, s.Y, s.Z = half(s.X), half(s.Y), half(s.Z)
		for name, values := range s.Dimensions {
			s.Dimensions[name] = half(values)
		}
	}
}

// grow makes room for points: arrays that grew with each of them would leave a multiple of their size as
// garbage.
func (s *sample) grow(points int, names []string) {
	s.X = slices.Grow(s.X, points)
	s.Y = slices.Grow(s.Y, points)
	s.Z = slices.Grow(s.Z, points)
	for _, name := range names {
		s.Dimensions[name] = slices.Grow(s.Dimensions[name], points)
	}
}

// half keeps every second value.
func half(values []float64) []float64 {
	for i := 0; 2*i < len(values); i++ {
		values[i] = values[2*i]
	}
	return values[:(len(values)+1)/2]
}

func (m *mapping) has(code int) bool {
	return slices.ContainsFunc(m.classes, func(c classCount) bool { return c.Code == m.codes.Of(code) })
}

// pictureWidth is in pixels.
const pictureWidth = 1400

// picture draws the classes seen from above.
func (m *mapping) picture() error {
	c := &m.sample.Columns
	for axis, values := range [3][]float64{c.X, c.Y, c.Z} {
		for i := range values {
			values[i] *= m.Metres[axis]
		}
	}
	to, err := m.output(mapPicture)
	if err != nil {
		return err
	}
	run := parallel.Run{Context: m.Host.Context(), Threads: m.Threads}
	return render.Map(run, to, c, render.MapStyle{Width: pictureWidth, ID: m.Id, Title: m.title()})
}
