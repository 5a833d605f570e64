// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"superpoint/filter/lasformat"
)

// Edit describes how a copy of a file differs from it. All else is kept: the header, variable length records,
// and of points the bytes. Bounds and counts are computed. The copy is LAS 1.4.
type Edit struct {
	// Classification, UserData or extra dimensions with new values, which replace dimensions of the same name
	Add    []Column
	Values *File    // whose records have the values of Add; nil: the values are 0
	Drop   []string // extra dimensions that are left out
	WKT    string   // reference, in place of GeoTIFF keys of versions before 1.4, or if the file has none
	Force  bool     // WKT replaces any reference; "" removes it
	Modern bool     // formats 0 to 5 become 6 or, with colours, 7
}

// Column is a dimension and its PDAL type.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Edited writes the copy.
type Edited struct {
	*Writer
	Layout *File  // of its records
	from   *File  // the copy is of
	extra  []move // extra dimensions of from
	values []move // and of Edit.Values
	wide   []wide // integers of both
	fields []bits // Classification and UserData of Edit.Values
	record []byte
}

// move is a copy of bytes from one record to another.
type move struct{ from, to, size int }

// wide is a dimension of 64-bit integers, in the type of the copy. Edit.Values may be rounded to double
// precision: what equals the rounded value of the file keeps its bits.
type wide struct {
	move
	signed bool
}

// keep copies the integer of a record if the copy has the same number in double precision.
func (w wide) keep(copied, of []byte) {
	now, old := le.Uint64(copied[w.to:]), le.Uint64(of[w.from:])
	if w.signed && float64(int64(now)) == float64(int64(old)) || !w.signed && float64(now) == float64(old) {
		le.PutUint64(copied[w.to:], old)
	}
}

// bits is a copy of bits from one byte to another.
type bits struct {
	from, to int
	mask     byte
	overlap  bool // of classes of formats below 6, which PDAL has converted; see Edited.set
}

// Copy writes a copy of l with records, which are its own or have its layout. each returns the values of a
// record and whether it is kept. Copy returns the checksum of the records and their number.
func (e Edit) Copy(path string, l, records *File, each func(record []byte) (values []byte, keep bool,
	err error)) (
	sum uint32, count int64, err error) {
	c, err := e.Start(path, l)
	if err != nil {
		return 0, 0, err
	}
	defer c.Discard()
	err = records.Each(func(_ int, record []byte) error {
		values, keep, err := each(record)
		if err != nil || !keep {
			return err
		}
		return c.Write(record, values)
	})
	if err != nil {
		return 0, 0, err
	}
	return c.sum, int64(c.count), c.Close()
}

// Start starts a copy of a file at path.
func (e Edit) Start(path string, l *File) (*Edited, error) {
	c, err := e.layout(path, l)
	if err != nil {
		return nil, err
	}
	if c.Writer, err = NewWriter(path, c.Layout.Head); err != nil {
		return nil, err
	}
	c.Writer.from, c.Writer.extended = c.from.Path, e.kept(c.from, c.from.extended)
	return c, nil
}

// Outline returns a copy of l without points, for File.Restore, with the counts and bounds of made, a LAS 1.4
// file of the same scale and offset.
func (e Edit) Outline(l, made *File) (*File, error) {
	c, err := e.layout(l.Path, l)
	if err != nil {
		return nil, err
	}
	out := c.Layout
	w := Writer{head: out.Head, count: uint64(made.Count)}
	for n := range w.returns[1:] {
		w.returns[1+n] = le.Uint64(made.Head[atReturns+8*n:])
	}
	least, most := made.Bounds()
	for k := range w.bounds {
		w.bounds[k] = [2]int32{int32(made.step(least[k], k)), int32(made.step(most[k], k))}
	}
	w.complete()
	out.Count, out.extended = made.Count, e.kept(l, l.extended)
	out.variable, err = findSections(bytes.NewReader(out.Head), int64(le.Uint16(out.Head[atHeaderSize:])),
		int64(len(out.Head)), le.Uint32(out.Head[atVLRs:]), vlrHead)
	return out, err
}

func (e Edit) layout(path string, l *File) (*Edited, error) {
	format := byte(l.Format())
	if e.Modern && format < legacyFormats {
		format = legacyFormats
		if lasformat.Holds(l.Format(), "Red") {
			format++
		}
	}
	out := &File{Path: path, Head: []byte{atFormat: format}, Length: recordLength(format), Lattice: l.Lattice}
	c := &Edited{Layout: out, from: l}
	for _, x := range l.Extra {
		if slices.Contains(e.Drop, x.Name) ||
			slices.ContainsFunc(e.Add, func(a Column) bool { return a.Name == x.Name }) {
			continue
		}
		k := out.append(x)
		c.extra = append(c.extra, move{x.At, out.Extra[k].At, x.Size})
	}
	for _, a := range e.Add {
		if err := c.add(a, e.Values); err != nil {
			return nil, err
		}
	}
	var texts []byte
	for _, x := range out.Extra {
		texts = append(texts, x.text...)
	}
	if len(texts) > math.MaxUint16 || out.Length > math.MaxUint16 {
		return nil, fmt.Errorf("%d extra dimensions of %d bytes: LAS holds at most 341", len(out.Extra),
			out.ExtraBytes())
	}
	c.record, out.Head = make([]byte, out.Length), l.head(e, format, out.Length, texts)
	return c, nil
}

// append adds an extra dimension behind the others and returns its index.
func (l *File) append(x Extra) int {
	l.Extra = append(l.Extra, Extra{x.Name, l.Length, x.Size, x.text, 0})
	l.Length += x.Size
	return len(l.Extra) - 1
}

// types are the types of extra bytes, from code 1 (LAS 1.4, table 24).
var types = []string{"uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64",
	"float", "double"}

// add adds a column.
func (c *Edited) add(a Column, values *File) error {
	out := c.Layout
	if to, mask, isField := out.field(a.Name); isField {
		if values != nil {
			from, its, _ := values.field(a.Name)
			isOlder := c.from.Format() < legacyFormats && values.Format() >= legacyFormats
			c.fields = append(c.fields, bits{from, to, mask & its, isOlder && a.Name == "Classification"})
		}
		return nil
	}
	x, err := newExtra(a, out.Format())
	if err != nil {
		return err
	}
	k := out.append(x)
	if values == nil {
		return nil
	}
	v := values.Find(a.Name)
	if v == nil || v.Size != x.Size {
		return fmt.Errorf("%s has no dimension %s of %d bytes", values.Path, a.Name, x.Size)
	}
	c.values = append(c.values, move{v.At, out.Extra[k].At, x.Size})
	if old := c.from.Find(a.Name); old != nil && old.isWide() && x.isWide() {
		c.wide = append(c.wide, wide{move{old.At, out.Extra[k].At, x.Size}, a.Type == "int64"})
	}
	return nil
}

// newExtra returns the extra dimension of a column in a point format.
func newExtra(a Column, format int) (Extra, error) {
	kind := byte(1 + slices.Index(types, a.Type))
	if kind == 0 || len(a.Name) > longestName {
		return Extra{}, fmt.Errorf("dimension %q of type %s: LAS cannot hold it", a.Name, a.Type)
	}
	if lasformat.Holds(format, a.Name) {
		return Extra{}, fmt.Errorf(
			"dimension %s is not an extra dimension of point format %d; choose another name for it", a.Name,
			format)
	}
	x := Extra{Name: a.Name, Size: extraSize(kind, 0), text: make([]byte, extraBytes)}
	x.text[2] = kind
	copy(x.text[4:], a.Name)
	return x, nil
}

// isWide reports whether values are integers of 64 bits without a scale.
func (x *Extra) isWide() bool {
	const unsigned, signed, scaled = 7, 8, 8 | 16
	return (x.text[2] == unsigned || x.text[2] == signed) && x.text[3]&scaled == 0
}

// Write appends a record, with the values of a record of Edit.Values if there is one.
func (c *Edited) Write(of, values []byte) error {
	base := recordLength(byte(c.Layout.Format()))
	clear(c.record)
	if old := c.from.Format(); old < legacyFormats && c.Layout.Format() >= legacyFormats {
		upgrade(c.record[:base], of, old)
	} else { // formats 6 to 8 are the beginning of one another
		copy(c.record, of[:recordLength(byte(old))])
	}
	for _, m := range c.extra {
		copy(c.record[m.to:m.to+m.size], of[m.from:])
	}
	if values != nil {
		for _, m := range c.values {
			copy(c.record[m.to:m.to+m.size], values[m.from:])
		}
		for _, w := range c.wide {
			w.keep(c.record, of)
		}
		for _, b := range c.fields {
			c.set(b, values)
		}
	}
	return c.Append(c.record)
}

// set sets Classification or UserData. Newer PDALs convert class 12, overlap, of formats below 6 to a flag
// and class 0; it stays.
func (c *Edited) set(b bits, values []byte) {
	const overlap, overlapFlag = 12, 8
	if b.overlap && c.record[b.to]&b.mask == overlap && values[b.from] == 0 &&
		values[b.from-1]&overlapFlag != 0 {
		return
	}
	c.record[b.to] = c.record[b.to]&^b.mask | values[b.from]&b.mask
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

// kept returns the records of a list that a copy keeps. It leaves out records that the program writes itself
// (extra bytes, compression, provenance) and the spatial reference if that changes.
func (e Edit) kept(l *File, all []section) (kept []section) {
	for _, s := range all {
		if !s.is(specUser, extraID) && !s.packs() && !s.is(madeUser, madeID) &&
			(!e.changes(l) || !s.is(projectionUser, wktID) && !s.isGeoTIFF()) {
			kept = append(kept, s)
		}
	}
	return kept
}

// packs reports whether the record is one of LAZ or COPC.
func (s section) packs() bool { return s.user == laszipUser || s.user == copcUser }

// changes reports whether the copy has another reference.
func (e Edit) changes(l *File) bool { return e.Force || e.WKT != "" && !l.reference() }

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

// head returns the header of a copy with records of a point format and length and descriptions of extra
// dimensions.
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
	le.PutUint16(h[atEncoding:], e.encoding(l, format))
	records := e.records(l, texts)
	for _, record := range records {
		h = append(h, record...)
	}
	le.PutUint32(h[atData:], uint32(len(h)))
	le.PutUint32(h[atVLRs:], uint32(len(records)))
	return h
}

// encoding returns the global encoding of a copy with records of a point format, which says whether the
// reference is WKT.
func (e Edit) encoding(l *File, format byte) uint16 {
	const wkt = 16
	encoding := le.Uint16(l.Head[atEncoding:])
	isRequired := format >= legacyFormats
	switch {
	case isRequired, e.changes(l) && e.WKT != "":
		return encoding | wkt
	case e.changes(l):
		return encoding &^ wkt
	}
	return encoding
}

// records returns the variable length records of a copy: those that are kept, the new reference, and
// descriptions of extra dimensions.
func (e Edit) records(l *File, texts []byte) (records [][]byte) {
	for _, s := range e.kept(l, l.variable) {
		records = append(records, l.Head[s.at:s.at+s.size])
	}
	if e.changes(l) && e.WKT != "" {
		records = append(records, variable(projectionUser, wktID, "", append([]byte(e.WKT), 0)))
	}
	if len(texts) > 0 {
		records = append(records, variable(specUser, extraID, "", texts))
	}
	return records
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

// HasOnlyWKT reports whether WKT returns all that the file says of its spatial reference.
func (l *File) HasOnlyWKT() bool { return l.WKT() != "" || !l.reference() }

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
