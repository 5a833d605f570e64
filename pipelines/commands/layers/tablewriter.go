// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"bufio"
	"encoding/csv"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"superpoint/pipelines/files/atomicfile"
)

// Column is a column of numbers, integers if digits is 0. A missing value is NaN.
type Column struct {
	Name   string
	Digits int // after the decimal point, in text
	Values []float64
}

// ColumnOf returns a column of n values.
func ColumnOf(name string, digits, n int, value func(row int) float64) Column {
	c := Column{Name: name, Digits: digits, Values: make([]float64, n)}
	for row := range c.Values {
		c.Values[row] = value(row)
	}
	return c
}

// text returns a value for CSV and GeoJSON, "" if it is missing.
func (c *Column) text(row int) string {
	v := c.Values[row]
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	t := strconv.FormatFloat(v, 'f', c.Digits, 64)
	if strings.HasPrefix(t, "-") && strings.Trim(t, "-0.") == "" {
		return t[1:] // not −0
	}
	return t
}

// WriteSheet writes columns of equal length to a file, as Parquet if its name ends in
// .parquet, else as CSV.
func WriteSheet(to *atomicfile.Output, columns []Column) error {
	return to.Write(func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<20)
		write := writeCSV
		if strings.HasSuffix(strings.ToLower(to.Path()), ".parquet") {
			write = writeParquet
		}
		if err := write(buffered, columns); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

func writeCSV(w io.Writer, columns []Column) error {
	out := csv.NewWriter(w)
	record := make([]string, len(columns))
	for k, c := range columns {
		record[k] = c.Name
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for row := range columns[0].Values {
		for k := range columns {
			record[k] = columns[k].text(row)
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// writeParquet writes integers as INT64, other numbers as DOUBLE, unrounded, and missing
// Values as null.
func writeParquet(w io.Writer, columns []Column) error {
	var fields []reflect.StructField // package parquet keeps their order; its groups do not
	for k, c := range columns {
		kind := reflect.TypeFor[float64]()
		if c.Digits == 0 {
			kind = reflect.TypeFor[int64]()
		}
		fields = append(fields, reflect.StructField{
			Name: "C" + strconv.Itoa(k), Type: kind, Tag: reflect.StructTag(`parquet:"` + c.Name + `,optional"`),
		})
	}
	schema := parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	out := parquet.NewWriter(w, schema, parquet.Compression(&parquet.Snappy))
	const batch = 1024
	rows := make([]parquet.Row, 0, batch)
	for row := range columns[0].Values {
		r := make(parquet.Row, len(columns))
		for k, c := range columns {
			switch v := c.Values[row]; {
			case math.IsNaN(v):
				r[k] = parquet.NullValue().Level(0, 0, k)
			case c.Digits == 0:
				r[k] = parquet.Int64Value(int64(v)).Level(0, 1, k)
			default:
				r[k] = parquet.DoubleValue(v).Level(0, 1, k)
			}
		}
		if rows = append(rows, r); len(rows) == batch || row == len(columns[0].Values)-1 {
			if _, err := out.WriteRows(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return out.Close()
}
