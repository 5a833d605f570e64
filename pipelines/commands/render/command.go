// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/filter"
	"superpoint/filter/message"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/shapes/planar"
)

const renderUsage = `[options] FILE PICTURE.png

Draws a cloud in panels side by side, which --panels names. If a panel needs superpoints and
the file has none, they are computed with the options of the stage.

  pdal superpoint render segmented.laz picture.png
  pdal superpoint render --panels superpoint,embedding --tilt 90 tile.laz map.png

The options, including those of the stage:`

// Dimensions of the superpoints of the stage, and of numbers with which adjacent ones differ.
const ownIDs, ownColors = "SuperpointID", "SuperpointColor"

// drawing is one run of render.
type drawing struct {
	host   command.Host
	args   *command.Arguments
	camera Camera
	panels []string
	id     string
}

// Command is the command render.
func Command() command.Command {
	return command.Command{Name: "render",
		Line:  "picture of a cloud: superpoints, embedding or any dimension",
		Usage: renderUsage, Define: renderCommand, Bytes: 250}
}

func renderCommand(a *command.Arguments) func(names []string) error {
	// from the south-west
	d := drawing{host: a.Host, args: a, camera: Camera{Azimuth: 30, Tilt: 38, Width: 960}}
	var panels string
	a.OutputOption("`file` to write, PNG")
	a.StringVar(&panels, "panels", "input,superpoint", "`list` of panels: "+PanelNames)
	a.StringVar(&d.id, "id", ownIDs, "`dimension` with the superpoints")
	a.FloatOption(&d.camera.Azimuth, "azimuth", d.camera.Azimuth, -360, 360,
		"direction of view in degrees, clockwise from north")
	a.FloatOption(&d.camera.Tilt, "tilt", d.camera.Tilt, 0.1, 90,
		"degrees below the horizon; 90 = from above")
	a.IntOption(&d.camera.Width, "width", d.camera.Width, 64, 8192, "pixels of a panel")
	a.StageOptions(command.MakingGroup())
	return func(names []string) error {
		from, to, err := a.OpenOne(names, ".png")
		if err != nil {
			return err
		}
		for name := range strings.SplitSeq(panels, ",") {
			d.panels = append(d.panels, strings.TrimSpace(name))
		}
		return d.draw(from, to)
	}
}

func (d *drawing) draw(from string, to *atomicfile.Output) error {
	options, err := d.args.Options(nil)
	if err != nil {
		return err
	}
	options.Color = slices.Contains(d.panels, Superpoints)
	probe, err := option.Inputs(options)
	if err != nil {
		return err
	}
	wanted := append(Dimensions(d.panels, d.id), probe...)
	columns, err := d.host.Read(from, slices.Compact(slices.Sorted(slices.Values(wanted))))
	if err != nil {
		return err
	}
	if columns.Dimensions == nil {
		columns.Dimensions = map[string][]float64{}
	}
	run := steps.Run{Context: d.host.Context(), Step: d.host.Progress}
	log := message.Log(d.host.Log).Of(from)
	w, err := workspace.New(run, columns.View(), max(options.KNN, options.AdjacencyKNN,
		command.MaxModelNeighbors),
		options.Threads, log)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if d.needsSegments(columns) {
		if err := d.segment(run, w, options, columns, log); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	x, y, z := w.Metres()
	c := Near(d.host, from, &Columns{X: x, Y: y, Z: z, Dimensions: columns.Dimensions},
		[3]float64{1, 1, 1}, "picture")
	err = File(parallel.Run{Context: run.Context, Threads: options.Threads}, to, c, d.camera,
		d.id, d.panels...)
	if err != nil {
		return message.File(from, err)
	}
	d.host.Log(message.Info, fmt.Sprintf("%s: %s of %s", to.Path(), strings.Join(d.panels, ", "),
		message.Count(len(c.X), "point")))
	return nil
}

// Near returns the columns of a file without the points far from all others, with a warning that these are in
// no thing.
func Near(h command.Host, path string, c *Columns, metres [3]float64, thing string) *Columns {
	near := slices.Concat(planar.Near(c.X, c.Y, c.Z, metres)...)
	if far := len(c.X) - len(near); far > 0 {
		h.Log(message.Warning, path+": "+planar.Far(far, thing))
	}
	slices.Sort(near)
	return c.Part(near)
}

// needsSegments reports whether a panel needs superpoints or an embedding that the file
// does not have.
func (d *drawing) needsSegments(c *command.Columns) bool {
	for _, p := range d.panels {
		if (p == Superpoints || p == Boundaries) && c.Dimensions[d.id] == nil && d.id == ownIDs {
			return true
		}
		if p == Embedding && c.Dimensions["Embedding0"] == nil {
			return true
		}
	}
	return false
}

// segment adds superpoints and embedding to the columns.
func (d *drawing) segment(run steps.Run, w *workspace.Workspace, options *option.Options,
	c *command.Columns, log message.Log) error {
	f, err := filter.New(options, log)
	if err != nil {
		return err
	}
	s, err := f.SegmentIn(run, w)
	if err != nil {
		return err
	}
	description, err := f.Describe(c.Available)
	if err != nil {
		return err
	}
	for _, o := range description.Outputs {
		values := make([]float64, len(s.ID))
		if err := s.Output(o.Name, values); err != nil {
			return err
		}
		c.Dimensions[o.Name] = values
	}
	return nil
}
