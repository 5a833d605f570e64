//go:build train

package main

import (
	"errors"
	"strings"

	"superpoint/embed/classes"
	"superpoint/embed/train"
	"superpoint/embed/train/classtrain"
	"superpoint/filter"
	"superpoint/pipelines/benchmarks"
	"superpoint/pipelines/commands"
	"superpoint/pipelines/commands/command"
	traincmd "superpoint/pipelines/commands/train"
)

// runCommand runs one of the commands, training among them.
func runCommand(host command.Host, args []string) error {
	if len(args) > 0 && args[0] == trainCommand && traincmd.TrainsClasses(args[1:]) {
		return traincmd.TrainClasses(host, classTrainer(host), args[1:])
	}
	if len(args) > 0 && args[0] == trainCommand {
		return train.Command(trainHost{benchmarks.Reader{Host: host}}, args[1:])
	}
	return commands.Run(host, args)
}

// classTrainer trains until the host is interrupted.
func classTrainer(host command.Host) traincmd.ClassTrainer {
	return func(report func(int, float64), card *classes.Card, samples []*classes.Sample, sets []classes.Set,
		settings classes.Settings) (*classes.Model, error) {
		return classtrain.Train(classtrain.Run{Context: host.Context(), Report: report}, card, samples, sets, settings)
	}
}

// trainHost gives package train, which does not import package filter, the
// host of the commands.
type trainHost struct{ command.Host }

// Read implements train.Host.
func (h trainHost) Read(path string, dimensions []string) (*train.Columns, error) {
	c, err := h.Host.Read(path, dimensions)
	if err != nil { // package train adds the path
		return nil, errors.New(strings.TrimPrefix(err.Error(), path+": "))
	}
	return &train.Columns{X: c.X, Y: c.Y, Z: c.Z, Dimensions: c.Dimensions, Available: c.Available}, nil
}

// Log implements train.Host.
func (h trainHost) Log(text string) { h.Host.Log(filter.LogInfo, text) }
