// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"testing"

	"superpoint/testdata/must"
)

// TestScaledDimensions: a dimension is read as a number if it is one of the ten types of LAS 1.4 and has no
// scale and no offset, whatever else its options say.
func TestScaledDimensions(t *testing.T) {
	const noData, least, most, offset = 1, 2, 4, 16
	const types = 10
	record := make([]byte, 16)
	for kind := range types + 5 {
		for options := range 2 * offset {
			x := &Extra{At: 5, text: make([]byte, extraBytes)}
			x.text[2], x.text[3] = byte(kind), byte(options)
			isNumber := kind >= 1 && kind <= types
			isPlain := options&^(noData|least|most) == 0
			read := x.value()
			must.Equal(t, read != nil, isNumber && isPlain, "type %d, options %05b: it is read", kind,
				options)
			if read != nil {
				must.Equal(t, read(record), 0, "type %d: zero", kind)
			}
		}
	}
}
