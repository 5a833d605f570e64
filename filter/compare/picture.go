package compare

import (
	"bytes"
	"fmt"
	"image/png"

	"superpoint/filter"
	"superpoint/filter/render"
	"superpoint/partition/parallel"
)

// picture shows one file: the paper's row of pictures in one.
type picture struct {
	set, title string
	png        []byte
}

// pictureWidth is the width of one panel in pixels.
const pictureWidth = 640

// paint draws the input, the true objects, the embedding, and the segments of
// every system at one mean size, as figure 4 of the paper does.
func (c *Config) paint(run filter.Run, host Host, w *filter.Workspace, in *Input, rule *Rule) (*picture, error) {
	x, y, z := w.Metres()
	first, err := render.Named(render.Input, "", &render.Columns{X: x, Y: y, Z: z, Dimensions: w.View.Dimensions})
	if err != nil {
		return nil, err
	}
	panels := []render.Panel{first, truthPanel(w.View)}
	for i := range c.Systems {
		attempts, err := c.segment(run, host, w, trial{&c.Systems[i], byPieces, c.Picture}, rule)
		if err != nil {
			host.Log(filter.LogWarning, fmt.Sprintf("no picture of %s: %v", c.Systems[i].Name, err))
			continue
		}
		s := attempts[len(attempts)-1].segmentation
		if s.Dim > 0 && i == 0 {
			panels = append(panels, render.Panel{Title: "Embedding of " + c.Systems[i].Name,
				Color: render.Projected(embeddingColumns(s))})
		}
		id := s.ID
		panels = append(panels, render.Panel{
			Title: fmt.Sprintf("%s: %s segments", c.Systems[i].Name, render.Thousands(s.Count)),
			Group: func(i int) uint32 { return id[i] },
		})
	}
	camera := render.DefaultCamera()
	camera.Width = pictureWidth
	image, err := render.Panels(parallel.Run{Context: run.Context, Threads: c.Threads}, &render.Scene{X: x, Y: y, Z: z},
		camera, panels...)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, image); err != nil {
		return nil, err
	}
	return &picture{in.Set, in.Path, b.Bytes()}, nil
}

// truthPanel shows true objects, or else true classes.
func truthPanel(v *filter.View) render.Panel {
	labels, title := v.Dimensions[classColumn], "True classes"
	if objects := v.Dimensions[objectColumn]; objects != nil {
		labels, title = objects, "True objects"
	}
	return render.Panel{Title: title, Group: func(i int) uint32 { return uint32(max(labels[i], 0)) }}
}

func embeddingColumns(s *filter.Segmentation) [][]float64 {
	rows := s.Embedding()
	columns := make([][]float64, s.Dim)
	for k := range columns {
		columns[k] = make([]float64, len(s.ID))
		for i := range columns[k] {
			columns[k][i] = float64(rows[i*s.Dim+k])
		}
	}
	return columns
}
