// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Restore gives a file in which PDAL has packed or unpacked the records of l, and which has room for len(l.Head) bytes
// in front of them, the header and the variable length records of l: PDAL drops or changes some. The records of
// compression and all points stay where they are, so the places in LAZ and COPC that point to them hold.
func (l *File) Restore(path string) error {
	p, err := Read(path)
	if err != nil {
		return err
	}
	if p.Count != l.Count || p.Length != l.Length || p.Format() != l.Format() {
		return fmt.Errorf("%s has %d of %d points, of format %d instead of %d (is the disk full?)", path, p.Count, l.Count,
			p.Format(), l.Format())
	}
	h, count := bytes.Clone(l.Head[:le.Uint16(l.Head[atHeaderSize:])]), uint32(0)
	put := func(from *File, which func(s section) bool) {
		for _, s := range from.variable {
			if which(s) {
				h, count = append(h, from.Head[s.at:s.at+s.size]...), count+1
			}
		}
	}
	put(p, func(s section) bool { return s.user == copcUser }) // the first of COPC
	put(l, func(s section) bool { return !s.packs() })
	put(p, func(s section) bool { return s.user == laszipUser })
	if len(h) > len(p.Head) {
		return fmt.Errorf("%s: no room for %d bytes of header", path, len(h))
	}
	h[atFormat] = byte(l.Format()) | p.Head[atFormat]&packed
	le.PutUint32(h[atData:], uint32(len(p.Head)))
	le.PutUint32(h[atVLRs:], count)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if h[atMinor] >= extended {
		err = p.appendExtended(f, h, l)
	}
	if err == nil {
		_, err = f.WriteAt(append(h, make([]byte, len(p.Head)-len(h))...), 0)
	}
	return errors.Join(err, f.Close())
}

// appendExtended appends the extended records of l behind those that the file has, which are at its end.
func (p *File) appendExtended(to *os.File, head []byte, l *File) error {
	kept := slices.DeleteFunc(slices.Clone(l.extended), section.packs)
	if err := appendExtended(to, head, l.Path, kept); err != nil || len(p.extended) == 0 {
		return err
	}
	last := p.extended[len(p.extended)-1]
	if last.at+last.size != p.size {
		return fmt.Errorf("%s: bytes behind the extended records", p.Path)
	}
	le.PutUint64(head[atEVLRStart:], uint64(p.extended[0].at))
	le.PutUint32(head[atEVLRs:], uint32(len(p.extended)+len(kept)))
	return nil
}

// appendExtended appends extended records of a file and sets their place and number in the header.
func appendExtended(to *os.File, head []byte, from string, all []section) error {
	le.PutUint64(head[atEVLRStart:], 0)
	le.PutUint32(head[atEVLRs:], uint32(len(all)))
	if len(all) == 0 {
		return nil
	}
	end, err := to.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	le.PutUint64(head[atEVLRStart:], uint64(end))
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	for _, s := range all {
		if _, err := io.Copy(to, io.NewSectionReader(in, s.at, s.size)); err != nil {
			return err
		}
	}
	return nil
}
