// SPDX-License-Identifier: BSD-3-Clause

package main

/*
#include <stdlib.h>
#include "superpoint.h"

// Go cannot call a C function pointer; these functions can.
static void host_log(const sp_host *host, int32_t level, const char *text) {
	host->log(host->context, level, text);
}
static void host_progress(const sp_host *host, const char *step, double fraction) {
	host->progress(host->context, step, fraction);
}
static const char *host_read(const sp_host *host, const char *path, const char *dimensions,
	const sp_cloud **cloud) {
	return host->read(host->context, path, dimensions, cloud);
}
static const char *host_convert(const sp_host *host, const char *from, const char *to,
	const char *arguments) {
	return host->convert(host->context, from, to, arguments);
}
static void host_release(const sp_host *host, const char *column) { host->release(host->context, column); }
static void host_describe(const sp_host *host, const char *text, sp_reference *reference) {
	host->describe(host->context, text, reference);
}
static const char *host_write_raster(const sp_host *host, const char *path, const sp_raster *raster,
                                     uint32_t rectangles, const sp_rectangle *rectangle,
                                     const float *values) {
	return host->write_raster(host->context, path, raster, rectangles, rectangle, values);
}
static const char *host_read_raster(const sp_host *host, const char *path, uint32_t first, uint32_t rows,
                                    float *values, const sp_raster **raster) {
	return host->read_raster(host->context, path, first, rows, values, raster);
}
static int32_t host_same(const sp_host *host, const char *a,
	const char *b) { return host->same(host->context, a, b); }
*/
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"unsafe"

	"superpoint/filter/cloud"
	"superpoint/filter/georef"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/pipelines/commands/command"
)

// hostCallbacks wraps the host's callbacks in Go functions; null ones stay nil.
func hostCallbacks(host *C.sp_host) callbacks {
	c := callbacks{host: uintptr(unsafe.Pointer(host))}
	if host == nil {
		return c
	}
	if host.log != nil {
		c.log = func(level int, text string) {
			s := C.CString(text)
			defer C.free(unsafe.Pointer(s))
			C.host_log(host, C.int32_t(level), s)
		}
	}
	if host.progress != nil {
		c.progress = func(step string, fraction float64) {
			s := C.CString(step)
			defer C.free(unsafe.Pointer(s))
			C.host_progress(host, s, C.double(fraction))
		}
	}
	if host.read != nil {
		c.read = func(path string, dimensions []string) (*command.Columns, error) {
			return readThrough(host, path, dimensions)
		}
	}
	if host.convert != nil {
		c.convert = func(from, to string, arguments []string) error {
			var texts [3]*C.char
			for i, text := range []string{from, to, strings.Join(arguments, "\n")} {
				texts[i] = C.CString(text)
				defer C.free(unsafe.Pointer(texts[i]))
			}
			return errorOf(C.host_convert(host, texts[0], texts[1], texts[2]))
		}
	}
	if host.write_raster != nil {
		c.writeRaster = func(path string, head command.Raster, values []float32) error {
			return writeRasterThrough(host, path, head, values)
		}
	}
	if host.read_raster != nil {
		c.readRaster = func(path string, first int, values []float32) (command.Raster, error) {
			return readRasterThrough(host, path, first, values)
		}
	}
	if host.release != nil {
		c.release = func(column string) {
			s := C.CString(column)
			defer C.free(unsafe.Pointer(s))
			C.host_release(host, s)
		}
	}
	if host.describe != nil {
		c.describe = func(text string) georef.Reference {
			s := C.CString(text)
			defer C.free(unsafe.Pointer(s))
			var reference C.sp_reference
			C.host_describe(host, s, &reference)
			return referenceOf(&reference)
		}
	}
	if host.same != nil {
		c.same = func(a, b string) bool {
			one, other := C.CString(a), C.CString(b)
			defer C.free(unsafe.Pointer(one))
			defer C.free(unsafe.Pointer(other))
			return C.host_same(host, one, other) == 1
		}
	}
	return c
}

// errorOf returns the error of an error text of the host, nil for null.
func errorOf(text *C.char) error {
	if text == nil {
		return nil
	}
	said := C.GoString(text)
	return errors.New(cmp.Or(message.Explain(said), said))
}

// writeRasterThrough writes a raster through the host.
func writeRasterThrough(host *C.sp_host, path string, head command.Raster, values []float32) error {
	if head.Columns*head.Rows == 0 {
		return fmt.Errorf("%s: %d × %d cells", path, head.Columns, head.Rows)
	}
	rectangles, err := rectanglesOf(head, len(values))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	raster := C.sp_raster{columns: C.uint32_t(head.Columns), rows: C.uint32_t(head.Rows),
		west:  C.double(head.West),
		north: C.double(head.North), width: C.double(head.Width), height: C.double(head.Height),
		no_data: C.double(head.NoData), reference: C.CString(head.Reference), unit: C.CString(head.Unit),
		description: C.CString(head.Description)}
	cPath := C.CString(path)
	for _, text := range []*C.char{cPath, raster.reference, raster.unit, raster.description} {
		defer C.free(unsafe.Pointer(text))
	}
	return errorOf(C.host_write_raster(host, cPath, &raster, C.uint32_t(len(rectangles)),
		unsafe.SliceData(rectangles), (*C.float)(unsafe.SliceData(values))))
}

// rectanglesOf returns the rectangles of a raster that has a number of values.
func rectanglesOf(head command.Raster, values int) (all []C.sp_rectangle, err error) {
	cells := image.Rect(0, 0, head.Columns, head.Rows)
	for _, r := range head.Held {
		last := r.First + (r.Dy()-1)*r.Stride + r.Dx()
		if !r.In(cells) || r.First < 0 || r.Stride < r.Dx() || last > values {
			return nil, fmt.Errorf("%v from %d of %d values, for %d × %d cells", r.Rectangle, r.First, values,
				head.Columns, head.Rows)
		}
		all = append(all, C.sp_rectangle{row: C.uint32_t(r.Min.Y), column: C.uint32_t(r.Min.X),
			rows: C.uint32_t(r.Dy()), columns: C.uint32_t(r.Dx()), first: C.uint64_t(r.First),
			stride: C.uint64_t(r.Stride)})
	}
	return all, nil
}

// readRasterThrough reads a raster through the host.
func readRasterThrough(host *C.sp_host, path string, first int, values []float32) (command.Raster, error) {
	cPath := C.CString(path)
	defer C.free(unsafe.Pointer(cPath))
	var raster *C.sp_raster
	if err := errorOf(C.host_read_raster(host, cPath, 0, 0, nil, &raster)); err != nil {
		return command.Raster{}, err
	}
	columns := int(raster.columns)
	rows := len(values) / max(1, columns)
	if rows*columns != len(values) || first < 0 || first+rows > int(raster.rows) {
		return command.Raster{}, fmt.Errorf("%s: %d values from row %d on are no rows of %d × %d cells",
			path, len(values),
			first, columns, raster.rows)
	}
	if rows > 0 {
		to := (*C.float)(unsafe.SliceData(values))
		err := errorOf(C.host_read_raster(host, cPath, C.uint32_t(first), C.uint32_t(rows), to, &raster))
		if err != nil {
			return command.Raster{}, err
		}
	}
	for k, v := range values {
		if v == float32(raster.no_data) {
			values[k] = float32(math.NaN())
		}
	}
	return rasterOf(raster), nil
}

// rasterOf copies the header of a raster file.
func rasterOf(raster *C.sp_raster) command.Raster {
	return command.Raster{
		Columns:     int(raster.columns),
		Rows:        int(raster.rows),
		West:        float64(raster.west),
		North:       float64(raster.north),
		Width:       float64(raster.width),
		Height:      float64(raster.height),
		NoData:      float64(raster.no_data),
		Reference:   C.GoString(raster.reference),
		Unit:        C.GoString(raster.unit),
		Description: C.GoString(raster.description),
		Layout:      C.GoString(raster.layout),
		Overviews:   int(raster.overviews),
	}
}

// referenceOf copies a host's spatial reference.
func referenceOf(r *C.sp_reference) georef.Reference {
	text := func(s *C.char) string {
		if s == nil {
			return ""
		}
		return C.GoString(s)
	}
	reference := georef.Reference{WKT: text(r.wkt), Name: text(r.code), GeoKeys: text(r.geokeys)}
	if r.read == nil {
		return reference
	}
	reference = reference.As(text(r.read))
	reference.OnlyWKT2 = georef.IsWKT2(text(r.read))
	return reference
}

// readThrough reads a file through the host and copies it into Go's memory.
func readThrough(host *C.sp_host, path string, dimensions []string) (*command.Columns, error) {
	cPath, cDimensions := C.CString(path), C.CString(strings.Join(dimensions, ","))
	defer C.free(unsafe.Pointer(cPath))
	defer C.free(unsafe.Pointer(cDimensions))
	var cloud *C.sp_cloud
	if text := C.host_read(host, cPath, cDimensions, &cloud); text != nil {
		said := C.GoString(text)
		if clear := message.Explain(said); clear != "" {
			said = path + ": " + clear
		}
		return nil, errors.New(said)
	}
	view, err := borrow(cloud)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := memory.Check(path, view.Len(), float64(8*(3+len(view.Dimensions)))); err != nil {
		return nil, err
	}
	c := &command.Columns{
		X: slices.Clone(view.X), Y: slices.Clone(view.Y), Z: slices.Clone(view.Z),
		Dimensions: view.Dimensions,
		Available:  names(cloud.available),
		Reference:  view.Reference,
	}
	for name, values := range c.Dimensions {
		c.Dimensions[name] = slices.Clone(values)
	}
	return c, nil
}

// names splits a comma separated list.
func names(list *C.char) []string {
	var all []string
	if list != nil {
		for name := range strings.SplitSeq(C.GoString(list), ",") {
			if name = strings.TrimSpace(name); name != "" {
				all = append(all, name)
			}
		}
	}
	return all
}

// maxColumns is more than any point format has.
const maxColumns = 1 << 16

// borrow returns a view of a host's cloud without copying. The view is valid only
// during the host's call.
func borrow(from *C.sp_cloud) (*cloud.View, error) {
	switch {
	case from == nil || from.column == nil:
		return nil, errors.New("the cloud or its array of columns is a null pointer")
	case from.columns < 3 || from.columns > maxColumns:
		return nil, fmt.Errorf("%d columns; give X, Y and Z and at most %d others", from.columns,
			maxColumns-3)
	}
	view := &cloud.View{
		Dimensions: map[string][]float64{},
		Reference:  referenceOf(&from.reference),
	}
	columns := unsafe.Slice(from.column, from.columns)
	axes := [3]*[]float64{&view.X, &view.Y, &view.Z}
	for i, c := range columns {
		name, values, err := borrowColumn(i, c, columns[0].count)
		if err != nil {
			return nil, err
		}
		if i < len(axes) {
			*axes[i] = values
		} else {
			view.Dimensions[name] = values
		}
	}
	return view, nil
}

// borrowColumn returns column i as a slice; it must have count values.
func borrowColumn(i int, c C.sp_column, count C.uint64_t) (name string, values []float64, err error) {
	const axes = "XYZ"
	if c.name == nil {
		return "", nil, fmt.Errorf("column %d has no name", i)
	}
	name = C.GoString(c.name)
	switch {
	case i < len(axes) && name != axes[i:i+1]:
		err = fmt.Errorf("column %d is %q; X, Y and Z come first", i, name)
	case c.count != count:
		err = fmt.Errorf("column %s has %d values, X has %d; give as many of each", name, c.count, count)
	case count > math.MaxInt32:
		err = fmt.Errorf(
			"%d points are more than the %d of one view; split it, for example with filters.splitter",
			count, math.MaxInt32)
	case c.values == nil && count > 0:
		err = fmt.Errorf("the array of column %s is a null pointer", name)
	case c.values != nil:
		values = unsafe.Slice((*float64)(c.values), int(count))
	}
	return name, values, err
}
