// SPDX-License-Identifier: BSD-3-Clause

// Package steps has the steps in which a view is segmented, as functions of what they read.
package steps

import (
	"slices"

	"superpoint/embed"
	"superpoint/filter/cloud"
	"superpoint/filter/device"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/naming"
	"superpoint/filter/option"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// A view is segmented in steps, and what a step needs is its argument:
//
//	metres   coordinates → positions in metres
//	measure  positions of a sample of a large view → spacing, λ, sizes
//	locate   positions → the cloud, in the order of a tree; neighbor lists
//	embed    positions, lists, dimensions → embedding, scattering, isolated points
//	connect  positions, lists, isolated points → adjacency graph
//	solve    all of these → components
//	output   components → ids and the other dimensions
//
// A view (segment.go), the sample on which it is measured (measure.go), a workspace and a tile of a
// survey call the same functions. Arrays are in the order of the cloud and are released after the last
// step that reads them. Bytes per point, for knn 20, adjacency 10 and m = 4 (measured on aerial lidar,
// which has 6.3 edges per point):
//
//	host        X, Y, Z                        24, until the points are located; 8 for each dimension read
//	cloud       XYZ, Order, tree               20.5, and 32 while it is built
//	lists       20 neighbors                   80, until the graph is built
//	attributes  float32 each                   4 each, until embedded
//	embedding   4 × float32                    16
//	scattering  float32, of models with volume  4
//	isolated    bool                           1
//	graph       Start, Head                    4 + 4 an edge = 29
//	values      [e, α·xyz], 7 × float32        28, in the solver; 4 for weights, of models that have them
//	contrast    float32 an edge                25, in the solver
//	component   uint32                         4
//	id          uint32                         4

// MissingFor is the error for a dimension that an option needs and the points do not have.
func MissingFor(n method.Need, name string, available []string) error {
	return naming.Missing(name, "option "+n.Option+" needs it; leave the option out", available)
}

// Located has the positions of the points of a view, and the nearest neighbors of each.
type Located struct {
	Cloud *neighbor.Cloud
	Lists *neighbor.Lists // nil after the last step that reads them
}

// LocateView builds the cloud of a view, or of a tile of a cloud of points points, from its positions, and
// finds the knn nearest neighbors of each point.
func LocateView(run parallel.Run, on *device.Device, v *cloud.View, at cloud.Positions, knn, points int,
	log message.Log) (_ *Located, err error) {
	defer parallel.Catch(&err)
	tree, err := cloud.New(run, v, at, log.Warn)
	if err != nil {
		return nil, err
	}
	cloud.WarnOfPositions(run.Quiet(), v, tree, log)
	return Locate(run, on, tree, knn, points)
}

// LocateMetres is LocateView for a view whose positions in metres no other step reads.
func LocateMetres(run parallel.Run, on *device.Device, v *cloud.View, knn, points int,
	log message.Log) (*Located, error) {
	at, err := v.Metres(run.Quiet(), log.Warn)
	if err != nil {
		return nil, err
	}
	return LocateView(run, on, v, at, knn, points, log)
}

// Locate finds the nearest neighbors of each point: knn, or all others if the full cloud, of which the cloud
// may be a tile, has fewer points.
func Locate(run parallel.Run, on *device.Device, cloud *neighbor.Cloud, knn,
	points int) (_ *Located, err error) {
	defer parallel.Catch(&err)
	lists, err := on.Nearest(run, cloud, knn)
	if err != nil {
		return nil, err
	}
	lists, err = lists.Within(cloud, min(knn, points-1), run)
	return &Located{Cloud: cloud, Lists: lists}, err
}

// Embeddings has the embedding of the points.
type Embeddings struct {
	Dim        int
	Values     []float32 // number of points × dim
	Scattering []float32 // near_scattering; nil for a model without volume
	Isolated   []bool    // isolated points; nil without a model
}

// EmbedView computes the embedding of the points of a view. from is as in Embed. The dimensions that the
// model read are released, except those to keep for later steps.
func EmbedView(run parallel.Run, on *device.Device, m *models.Model, v *cloud.View, at *Located,
	spacing float64, from embed.Anchor, keep []string) (*Embeddings, error) {
	attributes, err := v.Gather(run.Quiet(), at.Cloud.Order, m.Needs)
	if err != nil {
		return nil, err
	}
	v.Drop(m.Needs, keep)
	return Embed(run, on, m, at, attributes, spacing, from)
}

// Embed computes the embedding of points. attributes are the dimensions that the model needs, in the
// order of the cloud; from is the anchor of the cloud whose tile or sample the points are.
func Embed(run parallel.Run, on *device.Device, m *models.Model, at *Located,
	attributes map[string][]float32,
	spacing float64, from embed.Anchor) (*Embeddings, error) {
	n := at.Cloud.Len()
	e := &Embeddings{Dim: m.Embedder.Dim(), Isolated: make([]bool, n)}
	in := &embed.Input{Cloud: at.Cloud, Neighbors: at.Lists, Attributes: attributes, Isolated: e.Isolated,
		Anchor: from}
	if m.Spaced() {
		in.Spacing = spacing
	}
	if m.Settings.Volume != nil {
		e.Scattering = make([]float32, n)
		in.Scattering = e.Scattering
	}
	var err error
	e.Values, err = on.Embed(run, m.Embedder, in)
	return e, err
}

// Connected has the adjacency graph of the points.
type Connected struct {
	Graph  *neighbor.Graph // nil after the last step that reads it
	Edges  int             // of graph
	Across int             // points with edges across scan lines
}

// Connect builds the adjacency graph.
func Connect(run parallel.Run, at *Located, how neighbor.GraphOptions) (*Connected, error) {
	graph, across, err := neighbor.NewGraph(at.Cloud, at.Lists, how, run)
	if err != nil {
		return nil, err
	}
	return &Connected{Graph: graph, Edges: graph.Edges(), Across: across}, nil
}

// Clone returns a copy whose edges can be removed.
func (c *Connected) Clone() *Connected {
	own := *c
	own.Graph = &neighbor.Graph{Start: slices.Clone(c.Graph.Start), Head: slices.Clone(c.Graph.Head)}
	return &own
}

// Isolate removes the edges of isolated points, except edges to other isolated points.
func (c *Connected) Isolate(run parallel.Run, at *Located, isolated []bool, nearest int) error {
	if !slices.Contains(isolated, true) {
		return nil
	}
	err := c.Graph.Isolate(run.Quiet(), at.Cloud, at.Lists, nearest, isolated)
	c.Edges = c.Graph.Edges()
	return err
}

// Points has all that a method reads of the points of a view.
type Points struct {
	*Located
	*Embeddings
	*Connected
}

// MethodInput returns the input of a method.
func MethodInput(p *Points, s *option.Settings, log message.Log) *method.Input {
	return &method.Input{
		Settings: s.Settings, Cloud: p.Cloud, Lists: p.Lists, Graph: p.Graph, Spacing: s.Spacing,
		Embedding: p.Values, Dim: p.Dim, Scattering: p.Scattering, Isolated: p.Isolated, Log: log,
	}
}

// Solve computes the components of points. It gathers the dimensions that the method reads.
func Solve(run parallel.Run, by *method.Method, v *cloud.View, in *method.Input) (*method.Result, error) {
	if need := by.Reads(&in.Settings); need.Names != nil {
		for _, name := range need.Names {
			if v.Dimensions[name] == nil {
				return nil, MissingFor(need, name, v.Names())
			}
		}
		var err error
		if in.Attributes, err = v.Gather(run.Quiet(), in.Cloud.Order, need.Names); err != nil {
			return nil, err
		}
	}
	return by.Solve(run, in)
}
