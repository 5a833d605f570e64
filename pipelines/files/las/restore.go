// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"superpoint/pipelines/files/atomicfile"
)

// Restore gives a file in which PDAL has packed or unpacked the records of l the header and the variable
// length records of l: PDAL drops or changes some. The points are moved, and with them all places in LAZ and
// COPC that point to them.
func (l *File) Restore(path string) error {
	if _, _, err := Points(path); err != nil { // PDAL may not report a full disk
		return fmt.Errorf("%w (is the disk full?)", err)
	}
	p, err := Read(path)
	if err != nil {
		return err
	}
	if p.Count != l.Count || p.Length != l.Length || p.Format() != l.Format() {
		return fmt.Errorf("%s has %d of %d points, of format %d instead of %d (is the disk full?)", path,
			p.Count, l.Count,
			p.Format(), l.Format())
	}
	in, err := atomicfile.OpenRegular(path)
	if err != nil {
		return err
	}
	defer in.Close()
	moved := path + ".moved"
	to, err := os.Create(moved)
	if err != nil {
		return err
	}
	if err := errors.Join(l.restore(p, in, to), to.Close()); err != nil {
		return err
	}
	return os.Rename(moved, path)
}

func (l *File) restore(p *File, in, to *os.File) error {
	head := headOf(p, l)
	from := int64(len(p.Head))
	move := int64(len(head)) - from
	end := p.size
	var pages []section
	for _, s := range p.extended {
		end = min(end, s.at)
		if s.user == copcUser {
			pages = append(pages, s)
		}
	}
	if _, err := to.Write(head); err != nil {
		return err
	}
	if _, err := io.Copy(to, io.NewSectionReader(in, from, end-from)); err != nil {
		return err
	}
	listed := p.Packed() && end-from >= 8 // else there are no points
	if listed {
		if err := moveTable(to, int64(len(head)), move); err != nil {
			return err
		}
	}
	kept := slices.DeleteFunc(slices.Clone(l.extended), section.packs)
	if head[atMinor] >= extended {
		if err := appendExtended(to, head, l.Path, kept); err != nil {
			return err
		}
	}
	if len(pages) > 0 {
		if err := movePages(in, to, head, pages[0], move); err != nil {
			return err
		}
	}
	_, err := to.WriteAt(head, 0)
	return err
}

// headOf returns the header of l with the records of compression of p, the record of COPC first.
func headOf(p, l *File) []byte {
	h, count := bytes.Clone(l.Head[:le.Uint16(l.Head[atHeaderSize:])]), uint32(0)
	put := func(from *File, which func(s section) bool) {
		for _, s := range from.variable {
			if which(s) {
				h, count = append(h, from.Head[s.at:s.at+s.size]...), count+1
			}
		}
	}
	put(p, func(s section) bool { return s.user == copcUser })
	put(l, func(s section) bool { return !s.packs() })
	put(p, func(s section) bool { return s.user == laszipUser })
	h[atFormat] = byte(l.Format()) | p.Head[atFormat]&packed
	le.PutUint32(h[atData:], uint32(len(h)))
	le.PutUint32(h[atVLRs:], count)
	return h
}

// moveTable corrects the place of the table of chunks, at the start of the data; −1 says that it is at the
// end.
func moveTable(to *os.File, data, move int64) error {
	place := make([]byte, 8)
	if _, err := to.ReadAt(place, data); err != nil {
		return err
	}
	if at := int64(le.Uint64(place)); at != -1 {
		le.PutUint64(place, uint64(at+move))
	}
	_, err := to.WriteAt(place, data)
	return err
}

// movePages appends the hierarchy of COPC (copc.io, version 1.0), the last extended record, and corrects its
// places of points, pages and root page.
func movePages(in, to *os.File, head []byte, s section, move int64) error {
	const (
		entry, atPlace, atPoints = 32, 16, 28 // bytes of an entry of a page
		atRoot                   = 40         // in the body of the info record
	)
	text := make([]byte, s.size)
	if _, err := in.ReadAt(text, s.at); err != nil {
		return err
	}
	end, err := to.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	for e := text[evlrHead:]; len(e) >= entry; e = e[entry:] {
		by := move
		if le.Uint32(e[atPoints:]) == math.MaxUint32 { // −1: a page
			by = end - s.at
		}
		if place := le.Uint64(e[atPlace:]); place != 0 {
			le.PutUint64(e[atPlace:], uint64(int64(place)+by))
		}
	}
	info := head[le.Uint16(head[atHeaderSize:])+vlrHead+atRoot:]
	le.PutUint64(info, uint64(int64(le.Uint64(info))+end-s.at))
	if le.Uint32(head[atEVLRs:]) == 0 {
		le.PutUint64(head[atEVLRStart:], uint64(end))
	}
	le.PutUint32(head[atEVLRs:], le.Uint32(head[atEVLRs:])+1)
	_, err = to.Write(text)
	return err
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
	in, err := atomicfile.OpenRegular(from)
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
