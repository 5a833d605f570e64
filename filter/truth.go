package filter

import (
	"superpoint/partition/metrics"
	"superpoint/partition/parallel"
)

// MetricsKNN is the number of neighbours in the graph that superpoints are
// measured on, the paper's, whatever graph they were cut from.
const MetricsKNN = 5

// compareWithTruth measures the partition against the truth dimension and adds
// the counts to the record. Class 0 is unlabelled, as LAS has it ("never
// classified"), and so is −1. Objects are the instances dimension, 0 = none, or else
// the connected parts of a class in the graph of MetricsKNN neighbours.
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
