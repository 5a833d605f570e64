//go:build !train

package main

import (
	"errors"

	"superpoint/filter/command"
)

// runCommand runs one of the commands that need no training.
func runCommand(host command.Host, args []string) error {
	if len(args) > 0 && args[0] == trainCommand {
		return errors.New("train: this library was built without training; put libsuperpoint_train.so beside the plugin, " +
			"as `cmake --install` does")
	}
	return command.Run(host, args)
}
