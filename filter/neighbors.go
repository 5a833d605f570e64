package filter

import (
	"fmt"

	"superpoint/filter/georef"
	"superpoint/filter/naming"
	"superpoint/filter/raster"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// findNeighbors builds the cloud, in the order of its tree, and finds the k nearest
// neighbours of each point. With graph=grid it builds the graph of the pixels instead.
func (j *job) findNeighbors(run parallel.Run) error {
	if j.options.Graph == graphGrid {
		return j.findGrid(run)
	}
	if w := j.workspace; w != nil {
		if j.settings.knn > w.knn {
			return fmt.Errorf("option knn: %d is above the %d neighbours of the workspace", j.settings.knn, w.knn)
		}
		j.cloud, j.lists, j.seconds[stepNeighbors] = w.cloud, w.lists, w.seconds
		return nil
	}
	x, y, z, err := j.metres(run)
	if err != nil {
		return err
	}
	if j.cloud, err = neighbor.New(x, y, z, run.Quiet()); err != nil {
		return err
	}
	if err := georef.CheckPrecision(j.cloud, j.view.X, j.view.Y, j.view.Z, j.log.Warn); err != nil {
		return err
	}
	if j.lists, err = j.device.Nearest(run, j.cloud, j.settings.knn); err != nil {
		return err
	}
	of := j.points
	if of == 0 {
		of = j.view.Len()
	}
	j.lists, err = j.lists.Within(j.cloud, min(j.settings.knn, of-1), run)
	return err
}

// metres returns the view's coordinates in metres.
func (j *job) metres(run parallel.Run) (x, y, z []float64, err error) {
	return j.view.Reference.Metres(run.Quiet(), j.view.X, j.view.Y, j.view.Z, j.log.Warn)
}

// gather copies dimensions of the view to attributes, in the cloud's order.
func (j *job) gather(run parallel.Run, names []string) error {
	j.attributes = make(map[string][]float32, len(names))
	for _, name := range names {
		from, err := j.column(name)
		if err != nil {
			return err
		}
		to := make([]float32, len(from))
		err = run.For(len(to), grain, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				to[i] = float32(from[j.cloud.Order[i]])
			}
		})
		if err != nil {
			return err
		}
		j.attributes[name] = to
	}
	return nil
}

// column returns the values of a dimension; it fails if the view does not have it.
func (j *job) column(name string) ([]float64, error) {
	values, ok := j.view.Dimensions[name]
	if !ok && name == "Z" {
		values, ok = j.view.Z, true
	}
	if !ok {
		return nil, naming.Missing(name, "it is needed", j.view.names())
	}
	if len(values) != j.view.Len() {
		return nil, fmt.Errorf("dimension %q has %d values for %d points", name, len(values), j.view.Len())
	}
	return values, nil
}

// labels returns the labels of a dimension in the cloud's order; −1 is none.
func (j *job) labels(run parallel.Run, option, name string) ([]int32, error) {
	from, err := j.column(name)
	if err != nil {
		return nil, err
	}
	if err := metrics.CheckLabels(name, from); err != nil {
		return nil, fmt.Errorf("option %s: %w", option, err)
	}
	to := make([]int32, len(from))
	return to, run.For(len(to), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to[i], _ = metrics.Label(from[j.cloud.Order[i]])
		}
	})
}

// findGrid builds the cloud of pixels, in raster order, and joins each to 4 or 8
// neighbours.
func (j *job) findGrid(run parallel.Run) error {
	if j.workspace != nil {
		return fmt.Errorf("option graph: grid cannot be compared; run the stage with option truth instead")
	}
	r, err := raster.New(run.Quiet(), j.view.X, j.view.Y, j.view.Reference, j.log.Warn)
	if err != nil {
		return err
	}
	j.cloud, j.pixel = r.Cloud, r.Side
	j.graph, err = r.Graph(j.settings.adjacency == raster.Adjacency)
	return err
}
