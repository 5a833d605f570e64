// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
)

// RestoreCOPC is Restore for COPC, whose writer leaves no room: it writes to path what PDAL has compressed with header and
// variable length records of the LAS file that was compressed. All places in the file that point to compressed data are
// moved with it.
func RestoreCOPC(packed, path string, raw *File) (err error) {
	p, err := Read(packed)
	if err != nil {
		return err
	}
	if p.Count != raw.Count || p.Length != raw.Length || p.Format() != raw.Format() {
		return fmt.Errorf("%s has %d of %d points, of format %d instead of %d (is the disk full?)", packed, p.Count,
			raw.Count, p.Format(), raw.Format())
	}
	in, err := os.Open(packed)
	if err != nil {
		return err
	}
	defer in.Close()
	to, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closed := to.Close(); err == nil {
			err = closed
		}
	}()
	head := p.packedHead(raw)
	size, err := in.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	var pages []section
	for _, s := range p.extended {
		if size = min(size, s.at); s.user == copcUser {
			pages = append(pages, s)
		}
	}
	move := int64(len(head)) - int64(len(p.Head))
	if _, err := to.Write(head); err != nil {
		return err
	}
	if _, err := io.Copy(to, io.NewSectionReader(in, int64(len(p.Head)), size-int64(len(p.Head)))); err != nil {
		return err
	}
	if size-int64(len(p.Head)) >= 8 { // else there are no points
		if err := moveTable(to, int64(len(head)), move); err != nil {
			return err
		}
	}
	if len(pages) > 0 {
		if err := p.movePages(in, to, head, pages[0], move); err != nil {
			return err
		}
	}
	return appendRest(to, head, raw, len(pages))
}

// appendRest appends the extended records of raw behind those that the file has, and writes the header.
func appendRest(to *os.File, head []byte, raw *File, before int) error {
	start := le.Uint64(head[atEVLRStart:])
	if err := appendExtended(to, head, raw.Path, raw.extended); err != nil {
		return err
	}
	if before > 0 {
		le.PutUint64(head[atEVLRStart:], start)
		le.PutUint32(head[atEVLRs:], uint32(before+len(raw.extended)))
	}
	_, err := to.WriteAt(head, 0)
	return err
}

// packedHead returns the header of raw with the records of compression of p, that of COPC first.
func (p *File) packedHead(raw *File) []byte {
	own := le.Uint16(raw.Head[atHeaderSize:])
	h, last := bytes.Clone(raw.Head[:own]), []byte(nil)
	count := le.Uint32(h[atVLRs:])
	for _, s := range p.variable {
		record := p.Head[s.at : s.at+s.size]
		switch s.user {
		case copcUser:
			h, count = append(h, record...), count+1
		case laszipUser:
			last, count = append(last, record...), count+1
		}
	}
	h = append(append(h, raw.Head[own:]...), last...)
	h[atFormat] |= packed
	le.PutUint32(h[atData:], uint32(len(h)))
	le.PutUint32(h[atVLRs:], count)
	return h
}

// moveTable corrects the place of the table of chunks, at the start of the data; −1 says that it is at the end.
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

// movePages appends the hierarchy of COPC (copc.io, version 1.0) and corrects its places of points, pages and
// root page.
func (p *File) movePages(in, to *os.File, head []byte, s section, move int64) error {
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
	le.PutUint64(head[atEVLRStart:], uint64(end))
	_, err = to.Write(text)
	return err
}
