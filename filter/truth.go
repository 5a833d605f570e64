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
	class, err := j.labels(run, "truth", j.options.Truth)
	if err != nil {
		return err
	}
	truth := metrics.Truth{Class: unlabelled(class)}
	if j.options.Instances != "" {
		object, err := j.labels(run, "instances", j.options.Instances)
		if err != nil {
			return err
		}
		truth.Object = unlabelled(object)
	}
	report, err := metrics.Evaluate(run, j.border, truth, j.Component, j.Count)
	if err != nil {
		return err
	}
	j.truth = &report.Counts
	return nil
}
