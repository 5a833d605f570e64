// SPDX-License-Identifier: BSD-3-Clause

package survey

// wideError is why a survey is too wide. explainWidth adds the file that makes it so.
type wideError struct {
	reason string
	remedy string // other than to leave out points or files; begins with ", or"
}

func (e *wideError) Error() string { return e.reason }

const largerTiles = ", or take larger tiles"
