//go:build train

package main

import (
	"superpoint/embed/train"
	"superpoint/filter"
	"superpoint/filter/command"
)

// runCommand runs one of the commands, training among them.
func runCommand(host command.Host, args []string) error {
	if len(args) > 0 && args[0] == "train" {
		return train.Command(trainHost{host}, args[1:])
	}
	return command.Run(host, args)
}

// trainHost gives package train, which does not import package filter, the
// host of the commands.
type trainHost struct{ command.Host }

// Read implements train.Host.
func (h trainHost) Read(path string, dimensions []string) (*train.Columns, error) {
	c, err := h.Host.Read(path, dimensions)
	if err != nil {
		return nil, err
	}
	return &train.Columns{X: c.X, Y: c.Y, Z: c.Z, Dimensions: c.Dimensions, Available: c.Available}, nil
}

// Log implements train.Host.
func (h trainHost) Log(text string) { h.Host.Log(filter.LogInfo, text) }
