// SPDX-License-Identifier: BSD-3-Clause

package plan

// WideError is why a survey is too wide. The caller adds the file that makes it so.
type WideError struct {
	Reason string
	Remedy string // other than to leave out points or files; begins with ", or"
}

func (e *WideError) Error() string { return e.Reason }

const largerTiles = ", or take larger tiles"
