//go:build train

// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"superpoint/pipelines/commands"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/train"
)

// runCommand runs one of the commands, training among them.
func runCommand(host command.Host, args []string) error {
	if len(args) > 0 && args[0] == trainCommand {
		return train.Run(host, args[1:])
	}
	return commands.Run(host, args)
}
