package message_test

import (
	"fmt"

	"superpoint/filter/message"
)

// A host that shows warnings and keeps the rest.
func ExampleLog_Warn() {
	log := message.Log(func(level int, text string) {
		if level <= message.Warning {
			fmt.Println("warning:", text)
		}
	})
	log(message.Debug, "20 neighbours a point")
	log.Warn("no spatial reference, lengths are taken as metres")
	// Output: warning: no spatial reference, lengths are taken as metres
}
