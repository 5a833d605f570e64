//go:build !train

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"

	"superpoint/pipelines/commands"
	"superpoint/pipelines/commands/command"
)

// runCommand runs one of the commands that need no training.
func runCommand(host command.Host, args []string) error {
	if len(args) > 0 && args[0] == trainCommand {
		return errors.New(
			"train: the library with training, libsuperpoint_train.so, is not beside the plugin; run " +
				"`make` " +
				"in the checkout, which builds it (`make demo` does not), or install the whole package")
	}
	return commands.Run(host, args)
}
