//go:build !train

package main

import "superpoint/filter/command"

// runCommand runs one of the commands that need no training.
func runCommand(host command.Host, args []string) error { return command.Run(host, args) }
