// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"slices"
	"testing"
)

func TestField(t *testing.T) {
	head := make([]byte, 375)
	old, new := &File{Head: slices.Clone(head)}, &File{Head: slices.Clone(head)}
	old.Head[atFormat], new.Head[atFormat] = 3, 6
	for _, c := range []struct {
		of    *File
		field string
		value float64
		want  []byte // bytes 15 to 17
	}{
		{old, "Classification", 6, []byte{0xe0 | 6, 9, 5}}, // the flags stay
		{new, "Classification", 64, []byte{0xe0 | 7, 64, 5}},
		{old, "UserData", 200, []byte{0xe0 | 7, 9, 200}},
		{new, "UserData", 200, []byte{0xe0 | 7, 9, 200}},
	} {
		record := make([]byte, 30)
		record[15], record[16], record[17] = 0xe0|7, 9, 5
		if c.of.Field(c.field)(record, c.value); !slices.Equal(record[15:18], c.want) {
			t.Errorf("format %d, %s: %v, not %v", c.of.Head[atFormat], c.field, record[15:18], c.want)
		}
	}
	if old.Field("Intensity") != nil {
		t.Error("Intensity is no field for classes")
	}
	for flags, want := range map[byte]byte{8: 12, 7: 0} { // class 12 stays where PDAL has made it the flag of overlap
		c := &Edited{record: []byte{0xe0 | 12}}
		if c.set(bits{1, 0, 31, true}, []byte{flags, 0}); c.record[0] != 0xe0|want {
			t.Errorf("flags %d: class %d, not %d", flags, c.record[0]&31, want)
		}
	}
}
