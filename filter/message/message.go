// Package message is how the filter speaks to the user: texts with a level, which
// the host shows, keeps or drops.
package message

// Levels of messages, the numbers PDAL gives them.
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
