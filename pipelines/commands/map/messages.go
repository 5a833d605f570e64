// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"strings"

	"superpoint/pipelines/commands/command"
)

// named is a host that replaces names in messages, and renamed an error with replaced names.
type named struct {
	command.Host
	*strings.Replacer
}

func (n named) Log(level int, text string) { n.Host.Log(level, n.Replace(text)) }

type renamed struct {
	error
	text string
}

func (e renamed) Error() string { return e.text }
func (e renamed) Unwrap() error { return e.error }
