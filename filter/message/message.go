// SPDX-License-Identifier: BSD-3-Clause

// Package message has the log of the filter: texts with a level.
package message

// Levels of messages, numbered as in PDAL.
const (
	Error   = 0
	Warning = 1
	Info    = 2
	Debug   = 3
)

// Log receives messages for the user. It may be called from any goroutine.
type Log func(level int, text string)

// Warn logs a warning.
func (l Log) Warn(text string) { l(Warning, text) }
