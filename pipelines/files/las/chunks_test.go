// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"encoding/hex"
	"testing"

	"superpoint/testdata/must"
)

// TestReadChunks: tables that lazrs 0.6 wrote have the chunks that it was given; cut short they are an error.
func TestReadChunks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, table string
		hasPoints   bool
		want        []chunk
	}{
		{"none", "00000000", true, nil},
		{"one", "1b5f2a000000", true, []chunk{{5, 100}}},
		{"several", "52ddf0889f6ad3267af8bc3ad2534d5b870000", true,
			[]chunk{{700, 3500}, {1100, 5500}, {200, 1000}, {1000, 5000}}},
		{"of equal size", "90f5fd14e511ac43000000", false, []chunk{{0, 180123}, {0, 179005}, {0, 600}}},
		{"differences of 32 bits", "07a1e03f61af29bd83d1bf2648206d0ce00000", true,
			[]chunk{{1, 1<<31 - 1}, {1<<31 - 1, 1}, {1 << 31, 1<<32 - 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := must.Get(hex.DecodeString(c.table))(t)
			all := must.Get(readChunks(bytes.NewReader(text), int64(len(c.want)), c.hasPoints))(t)
			must.Equal(t, len(all), len(c.want), "chunks")
			for k := range all {
				must.Equal(t, all[k].points, c.want[k].points, "points of chunk %d", k)
				must.Equal(t, all[k].bytes, c.want[k].bytes, "bytes of chunk %d", k)
			}
			if len(c.want) > 0 {
				must.Fail(readChunks(bytes.NewReader(text[:5]), 1000, c.hasPoints))(t, "EOF")
			}
		})
	}
}

// FuzzReadChunks: no table makes the decoder panic, or go on behind its end.
func FuzzReadChunks(f *testing.F) {
	f.Add([]byte{0x1b, 0x5f, 0x2a, 0, 0, 0}, true)
	f.Fuzz(func(t *testing.T, table []byte, hasPoints bool) {
		const most = 1000
		all, err := readChunks(bytes.NewReader(table), most, hasPoints)
		if err == nil {
			must.Equal(t, len(all), most, "chunks without an error")
		}
	})
}
