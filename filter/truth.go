package filter

import (
	"superpoint/partition/metrics"
	"superpoint/partition/parallel"
)

// MetricsKNN is the number of neighbours in the graph on which metrics are computed, as
// in the paper. It does not depend on the adjacency graph of the partition.
const MetricsKNN = 5

// compareWithTruth computes the metrics of the partition for the truth dimension.
// Class 0 ("never classified" in LAS) and −1 are unlabelled. Objects are the values
// of the instances dimension (0 = none) or else the connected components of a class in
// the graph of MetricsKNN neighbours.
func (j *job) compareWithTruth(run parallel.Run) error {
	if j.options.Truth == "" {
		return nil
	}
	truth, err := j.labelsOfTruth(run, j.options.Truth, j.options.Instances)
	if err != nil {
		return err
	}
	report, err := metrics.Evaluate(run, j.border, truth, j.Component, j.Count)
	if err != nil {
		return err
	}
	j.truth = &report.Counts
	return nil
}

// labelsOfTruth returns the labels of a dimension of classes and of one of objects, "" for none.
func (j *job) labelsOfTruth(run parallel.Run, class, object string) (truth metrics.Truth, err error) {
	if truth.Class, err = j.labels(run, "truth", class); err == nil && object != "" {
		truth.Object, err = j.labels(run, "instances", object)
	}
	for _, labels := range [][]int32{truth.Class, truth.Object} {
		for i, v := range labels {
			if v == 0 {
				labels[i] = -1
			}
		}
	}
	return truth, err
}
