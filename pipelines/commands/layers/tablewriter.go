// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"
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

// WriteCSV writes columns of equal length.
func WriteCSV(w io.Writer, columns []Column) error {
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
