// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"bytes"
	"testing"

	"superpoint/testdata/must"
)

// TestWordsFirst: a table has a row for each value also if its first column has words.
func TestWordsFirst(t *testing.T) {
	var text bytes.Buffer
	must.OK(t, WriteCSV(&text, []Column{{Name: "source", Words: []string{"a.laz", "b.laz"}},
		{Name: "id", Values: []float64{1, 2}}}))
	must.Equal(t, text.String(), "source,id\na.laz,1\nb.laz,2\n", "the table")
}
