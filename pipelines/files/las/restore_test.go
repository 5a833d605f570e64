// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/testdata/must"
)

// TestRestoreOfCOPC: a COPC file of two pages gets a longer header and another extended record. Its table of chunks,
// its nodes, which have points, none, or are pages, and its root are found at their new places.
func TestRestoreOfCOPC(t *testing.T) {
	folder := t.TempDir()
	write := func(name, reference string, info, data []byte, user string, extended []byte) *File {
		head := blank().head(Edit{WKT: reference}, legacyFormats, 30, nil)
		records := head[header14:]
		head = append(bytes.Clone(head[:header14]), variable(copcUser, copcInfo, "", info)...)
		head = append(head, records...)
		le.PutUint32(head[atVLRs:], le.Uint32(head[atVLRs:])+1)
		le.PutUint32(head[atData:], uint32(len(head)))
		head[atFormat] |= packed
		le.PutUint64(head[atEVLRStart:], uint64(len(head)+len(data)))
		le.PutUint32(head[atEVLRs:], 2)
		record := make([]byte, evlrHead)
		copy(record[2:18], user)
		le.PutUint16(record[18:], copcPages)
		le.PutUint64(record[20:], uint64(len(extended)))
		path := filepath.Join(folder, name)
		more := make([]byte, evlrHead) // a record without a body
		copy(more[2:18], "more")
		must.OK(t, os.WriteFile(path, slices.Concat(head, data, record, extended, more), 0o644))
		return must.Get(Read(path))(t)
	}
	const points, root, page = 50, 100 + evlrHead, 100 + evlrHead + 3*32 // from the start of the data
	data := append(make([]byte, points), bytes.Repeat([]byte("p"), 100-points)...)
	start := uint64(header14 + vlrHead + 160)
	le.PutUint64(data, start+points) // the table of chunks
	info := make([]byte, 160)
	le.PutUint64(info[40:], start+root)
	pages := make([]byte, 4*32)
	for k, n := range [4]struct {
		at    uint64
		count int32
	}{{start + points, 10}, {start + page, -1}, {0, 0}, {start + points + 5, 20}} {
		pages[32*k] = byte(k + 1) // its key
		le.PutUint64(pages[32*k+16:], n.at)
		le.PutUint32(pages[32*k+28:], uint32(n.count))
	}
	source := write("source.laz", "a long reference", nil, nil, "other", []byte("notes"))
	made := write("made.laz", "", info, data, copcUser, pages)
	must.OK(t, source.Restore(made.Path))
	l, all := must.Get(Read(made.Path))(t), must.Get(os.ReadFile(made.Path))(t)
	now := uint64(len(l.Head))
	if l.WKT() != "a long reference" || now <= start || le.Uint64(all[now:]) != now+points ||
		le.Uint64(all[atEVLRStart:]) != now+uint64(len(data)) {
		t.Errorf("%d bytes before the points, table of chunks at %d, %q", now, le.Uint64(all[now:]), l.WKT())
	}
	node := le.Uint64(all[header14+vlrHead+40:])
	for k, want := range []uint64{now + points, node + 3*32, 0, now + points + 5} {
		entry := all[node+32*uint64(k):]
		if at := le.Uint64(entry[16:]); entry[0] != byte(k+1) || at != want {
			t.Errorf("node %d, of key %d, is at %d, not %d", k, entry[0], at, want)
		}
	}
}

// TestTableAtTheEnd: a table of chunks whose place is at the end of the file, −1, stays there; another one moves.
func TestTableAtTheEnd(t *testing.T) {
	for from, want := range map[int64]int64{-1: -1, 300: 320} {
		f := must.Get(os.Create(filepath.Join(t.TempDir(), "a.laz")))(t)
		must.Get(f.Write(le.AppendUint64(make([]byte, 10), uint64(from))))(t)
		must.OK(t, moveTable(f, 10, 20))
		place := make([]byte, 8)
		must.Get(f.ReadAt(place, 10))(t)
		must.OK(t, f.Close())
		if got := int64(le.Uint64(place)); got != want {
			t.Errorf("a table at %d is at %d, not %d", from, got, want)
		}
	}
}
