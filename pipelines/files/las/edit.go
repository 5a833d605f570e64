package las

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"superpoint/filter/lasformat"
)

// Edit describes how a copy of a file differs from it. All else is kept: the header, variable
// length records, and of points the bytes. The copy is LAS 1.4.
type Edit struct {
	Add    []Column // extra dimensions; those of the same name are left out
	Drop   []string // extra dimensions that are left out
	WKT    string   // reference, in place of GeoTIFF keys of versions before 1.4, or if the file has none
	Force  bool     // WKT replaces any reference; "" removes it
	Modern bool     // formats 0 to 5 become 6 or, with colours, 7
}

// Column is an extra dimension and its PDAL type.
type Column struct{ Name, Type string }

// Edited writes the copy of a file.
type Edited struct {
	*Writer
	At     []int // byte of each column in a record
	source *File
	keep   [][2]int // bytes of the source's extra dimensions
	base   int      // length of a record without extra dimensions
	record []byte
}

// Edit starts a copy of l at path. Records may come from another file of the same layout, such as
// the unpacked one of LAZ.
func (l *File) Edit(path string, e Edit) (*Edited, error) {
	c, format := &Edited{source: l}, byte(l.Format())
	if e.Modern && format < legacyFormats {
		if format = legacyFormats; lasformat.Holds(l.Format(), "Red") {
			format = 7
		}
	}
	c.base = recordLength(format)
	at, texts := c.base, []byte(nil)
	for k := range l.Extra {
		x := &l.Extra[k]
		if slices.Contains(e.Drop, x.Name) || slices.ContainsFunc(e.Add, func(a Column) bool { return a.Name == x.Name }) {
			continue
		}
		if n := len(c.keep); n > 0 && c.keep[n-1][1] == x.At {
			c.keep[n-1][1] += x.Size
		} else {
			c.keep = append(c.keep, [2]int{x.At, x.At + x.Size})
		}
		at, texts = at+x.Size, append(texts, x.text...)
	}
	for _, a := range e.Add {
		kind := byte(1 + slices.Index(types, a.Type))
		if kind == 0 || len(a.Name) > 32 {
			return nil, fmt.Errorf("dimension %q of type %s: LAS cannot hold it", a.Name, a.Type)
		}
		text := make([]byte, extraBytes)
		text[2] = kind
		copy(text[4:36], a.Name)
		c.At, texts, at = append(c.At, at), append(texts, text...), at+extraSize(kind, 0)
	}
	if len(texts) > math.MaxUint16 || at > math.MaxUint16 {
		return nil, fmt.Errorf("%d extra dimensions of %d bytes: LAS holds at most 341", len(texts)/extraBytes, at-c.base)
	}
	c.record = make([]byte, at)
	var err error
	c.Writer, err = NewWriter(path, l.head(e, format, at, texts))
	if err == nil {
		c.from = l
	}
	return c, err
}

// types are the types of extra bytes, from code 1 (LAS 1.4, table 24).
var types = []string{"uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float", "double"}

// Record returns a record of the copy with the bytes of one of the source, and zeros in the columns.
// It is valid until the next call.
func (c *Edited) Record(of []byte) []byte {
	if n := recordLength(byte(c.source.Format())); n == c.base {
		copy(c.record, of[:n])
	} else {
		upgrade(c.record[:c.base], of, c.source.Format())
	}
	at := c.base
	for _, k := range c.keep {
		at += copy(c.record[at:], of[k[0]:k[1]])
	}
	clear(c.record[at:])
	return c.record
}

// upgrade converts a record of formats 0 to 5 to one of formats 6 to 8. Classes stay, also 12, which
// format 6 has a flag for.
func upgrade(to, from []byte, format int) {
	clear(to)
	copy(to, from[:14]) // coordinates, intensity
	to[14] = from[14]&7 | from[14]>>3&7<<4
	to[15] = from[15]>>5 | from[14]>>6<<6 // flags, scan direction, edge of flight line
	to[16], to[17] = from[15]&31, from[17]
	const step = 0.006 // degrees
	le.PutUint16(to[18:], uint16(int16(math.Round(float64(int8(from[16]))/step))))
	copy(to[20:22], from[18:20])
	at := 20
	if lasformat.Holds(format, "GpsTime") {
		copy(to[22:30], from[at:at+8])
		at += 8
	}
	if lasformat.Holds(format, "Red") && len(to) >= 36 {
		copy(to[30:36], from[at:at+6])
	}
}

// copied returns the records of a list that a copy has: all but those of extra bytes, of
// compression and of provenance, which the program writes.
func (l *File) copied(all []section) (kept []section) {
	for _, s := range all {
		if !s.is(specUser, extraID) && s.user != laszipUser && s.user != copcUser && !s.is(madeUser, madeID) {
			kept = append(kept, s)
		}
	}
	return kept
}

// reference reports whether the file has a reference that LAS 1.4 can keep: WKT, or GeoTIFF keys in a
// file of that version.
func (l *File) reference() bool {
	return slices.ContainsFunc(append(slices.Clip(l.variable), l.extended...), func(s section) bool {
		return s.is(projectionUser, wktID) || s.isGeoTIFF() && l.Head[atMinor] >= extended
	})
}

func (s section) isGeoTIFF() bool {
	return s.user == projectionUser && s.id >= firstGeoTIFF && s.id <= lastGeoTIFF
}

// head returns the header of a copy with records of a point format and length and descriptions of extra dimensions.
func (l *File) head(e Edit, format byte, length int, texts []byte) []byte {
	own := int(le.Uint16(l.Head[atHeaderSize:]))
	h := make([]byte, max(own, header14))
	copy(h, l.Head[:own])
	if l.Head[atMinor] < extended {
		clear(h[atWaves:])
	}
	h[atMinor], h[atFormat] = extended, format
	le.PutUint16(h[atHeaderSize:], uint16(len(h)))
	le.PutUint16(h[atLength:], uint16(length))
	change := e.Force || e.WKT != "" && !l.reference()
	count := uint32(0)
	put := func(record []byte) { h, count = append(h, record...), count+1 }
	for _, s := range l.copied(l.variable) {
		if !change || !s.is(projectionUser, wktID) && !s.isGeoTIFF() {
			put(l.Head[s.at : s.at+s.size])
		}
	}
	const wkt = 16 // bit of the encoding: the reference is WKT
	encoding := le.Uint16(h[atEncoding:])
	if change {
		encoding &^= wkt
	}
	if change && e.WKT != "" {
		encoding |= wkt
		put(variable(projectionUser, wktID, "", append([]byte(e.WKT), 0)))
	}
	if format >= legacyFormats {
		encoding |= wkt // required
	}
	le.PutUint16(h[atEncoding:], encoding)
	if len(texts) > 0 {
		put(variable(specUser, extraID, "", texts))
	}
	le.PutUint32(h[atData:], uint32(len(h)))
	le.PutUint32(h[atVLRs:], count)
	return h
}

// variable returns a variable length record.
func variable(user string, id uint16, description string, body []byte) []byte {
	record := make([]byte, vlrHead, vlrHead+len(body))
	copy(record[2:18], user)
	le.PutUint16(record[18:], id)
	le.PutUint16(record[20:], uint16(len(body)))
	copy(record[22:], description)
	return append(record, body...)
}

// WKT returns the reference of the file's WKT record, or "".
func (l *File) WKT() string {
	for _, s := range l.variable {
		if s.is(projectionUser, wktID) {
			return string(bytes.TrimRight(l.Head[s.at+vlrHead:s.at+s.size], "\x00"))
		}
	}
	return ""
}

// ExtraBytes returns the number of bytes of a record behind the fields of its format.
func (l *File) ExtraBytes() int { return l.Length - recordLength(byte(l.Format())) }

// SetField sets Classification or UserData of a record to that of a record of another file. Newer PDALs convert class
// 12, overlap, of formats below 6 to a flag and class 0; it stays.
func (c *Edited) SetField(record []byte, name string, from *File, other []byte) error {
	const overlap, overlapFlag = 12, 8
	at, mask, ok := from.field(name)
	if !ok {
		return fmt.Errorf("dimension %s: %s has none; choose another name for it", name, from.Path)
	}
	to := File{Head: c.head}
	at2, mask2, _ := to.field(name)
	flagged := name == "Classification" && from.Format() >= legacyFormats && c.source.Format() < legacyFormats &&
		other[at] == 0 && other[at-1]&overlapFlag != 0
	if !flagged || record[at2]&mask2 != overlap {
		record[at2] = record[at2]&^mask2 | other[at]&mask&mask2
	}
	return nil
}

// Neutral returns l with a header that does not come from one source: without variable length records but that of
// the reference, with the system identifier MERGE (LAS 1.4, public header block) and a date of creation.
func (l *File) Neutral(created [2]int) *File {
	const atSource, atSystem, atDay = 4, 26, 90
	n := *l
	n.Head = bytes.Clone(l.Head)
	encoding := le.Uint16(n.Head[atEncoding:])
	clear(n.Head[atSource:24])
	le.PutUint16(n.Head[atEncoding:], encoding)
	clear(n.Head[atSystem:atDay])
	le.PutUint16(n.Head[atDay:], uint16(created[0]))
	le.PutUint16(n.Head[atDay+2:], uint16(created[1]))
	copy(n.Head[atSystem:], "MERGE")
	copy(n.Head[atSystem+32:], "superpoint")
	n.variable, n.extended = nil, nil
	for _, s := range l.variable {
		if s.is(projectionUser, wktID) || s.isGeoTIFF() {
			n.variable = append(n.variable, s)
		}
	}
	return &n
}
