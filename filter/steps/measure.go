// SPDX-License-Identifier: BSD-3-Clause

package steps

import (
	"superpoint/embed"
	"superpoint/filter/cloud"
	"superpoint/filter/device"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/option"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
	"superpoint/partition/neighbor"
)

// The spacing of the points and λ, with target_size also the search for λ, and whether the
// cloud has scan lines are measured on a sample of squares (package tile). A view and a
// survey of the same points have the same sample, and so the same superpoints. A larger
// sample changes the spacing by no more than another choice of squares does.
const (
	SampleWhole  = 1 << 17 // clouds of up to this number of points are not sampled
	samplePoints = 1 << 15 // points of a sample
	sampleSquare = 1 << 11 // points of a square
	// with target_size: larger, because superpoints end at the border of a square
	targetPoints = 1 << 19
	targetSquare = 1 << 15
)

// SampleOf returns the size of the sample on which a cloud is measured.
func SampleOf(o *option.Options) tile.Sample {
	if o.TargetSize != nil {
		return tile.Sample{Whole: targetPoints, Points: targetPoints, Square: targetSquare}
	}
	return tile.Sample{Whole: SampleWhole, Points: samplePoints, Square: sampleSquare}
}

// Sample has the points on which a cloud is measured.
type Sample struct {
	View    *cloud.View
	at      cloud.Positions // of the points of view
	squares []tile.Square   // view has their points, square by square; nil for a full cloud
}

// NewSample returns the points of squares, or all points of a view if squares is nil. at are their positions.
func NewSample(view *cloud.View, at cloud.Positions, squares []tile.Square) *Sample {
	if squares == nil {
		return &Sample{View: view, at: at}
	}
	points := pointsIn(squares)
	return &Sample{view.Part(points), at.Pick(points), squares}
}

// pointsIn returns the points of squares.
func pointsIn(squares []tile.Square) (points []int32) {
	for k := range squares {
		points = append(points, squares[k].Points...)
	}
	return points
}

// Silent is the log of a sample: its cloud gives the same warnings.
var Silent = message.Log(func(int, string) {})

// Measure measures the spacing of points and whether they have scan lines; for methods with λ also λ and,
// with target_size, the λ of each size. m is nil for methods without a model. It is done by the processor,
// for samples are small, and changes none of its arguments.
func Measure(run parallel.Run, from *Sample, by *method.Method, m *models.Model,
	s option.Settings) (*method.Measured, error) {
	on := device.New(device.CPU, Silent)
	tree, err := cloud.New(run, from.View, from.at, Silent.Warn)
	if err != nil {
		return nil, err
	}
	at, err := Locate(run, on, tree, s.KNN, tree.Len())
	if err != nil {
		return nil, err
	}
	s = s.WithSpacing(at.Cloud, at.Lists)
	searches := by.GMPP && s.TargetSize != nil // for the λ of a size, in which the embedding is used
	e, err := measuredEmbedding(run, on, from.View, at, m, s.Spacing, searches)
	if err != nil {
		return nil, err
	}
	g, err := Connect(run, at, s.Graph)
	if err != nil {
		return nil, err
	}
	if err := g.Isolate(run, at, e.Isolated, s.Graph.Nearest); err != nil {
		return nil, err
	}
	floor, err := boxFloor(run, at.Cloud, m, s.Spacing)
	if err != nil {
		return nil, err
	}
	measured := &method.Measured{Spacing: s.Spacing, BoxFloor: floor, AcrossLines: g.Across > 0}
	switch {
	case searches:
		in := MethodInput(&Points{at, e, g}, &s, Silent)
		in.Border = from.NearSquareEdges(tree.Order, s.Spacing)
		result, err := Solve(run, by, from.View, in)
		if err != nil {
			return nil, err
		}
		measured.Strength = result.Strength
		for _, l := range result.Coarser {
			measured.Coarser = append(measured.Coarser, l.Strength)
		}
	case by.GMPP:
		measured.Strength = method.AtRegularization(&s.Settings, g.Graph, e.Isolated)
	}
	return measured, nil
}

// boxFloor returns the height from which boxes of the full cloud are counted; 0 for a model without any.
func boxFloor(run parallel.Run, cloud *neighbor.Cloud, m *models.Model, spacing float64) (float64, error) {
	card := models.CardOf(m)
	if card == nil {
		return 0, nil
	}
	return embed.BoxFloor(run, cloud, card.Inputs.LayerHeight(spacing))
}

// measuredEmbedding returns the embedding of a sample if it is used, else only which points are isolated.
func measuredEmbedding(run parallel.Run, on *device.Device, v *cloud.View, at *Located, m *models.Model,
	spacing float64,
	used bool) (*Embeddings, error) {
	if used {
		attributes, err := v.Gather(run, at.Cloud.Order, m.Needs)
		if err != nil {
			return nil, err
		}
		return Embed(run, on, m, at, attributes, spacing, embed.Anchor{})
	}
	card := models.CardOf(m)
	if card == nil {
		return new(Embeddings), nil
	}
	isolated, err := embed.Isolated(run, card, &embed.Input{Cloud: at.Cloud, Neighbors: at.Lists,
		Spacing: spacing})
	return &Embeddings{Isolated: isolated}, err
}

// NearSquareEdges reports which points lie within spacing of the sides of their square, in the cloud's order;
// nil for a full cloud.
func (from *Sample) NearSquareEdges(order []uint32, spacing float64) []bool {
	if from.squares == nil {
		return nil
	}
	margin := tile.Unit(spacing)
	near := make([]bool, 0, len(order)) // in the order of the squares
	for k := range from.squares {
		for range from.squares[k].Points {
			x := tile.Unit(from.at.X[len(near)])
			y := tile.Unit(from.at.Y[len(near)])
			near = append(near, !from.squares[k].Inner(x, y, margin))
		}
	}
	return arrays.Gather(near, order)
}
