// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import "strconv"

// Stage has the options of a stage of a pipeline by name. All are text, because PDAL 2.2 cuts floating point numbers in
// JSON to six digits.
type Stage map[string]string

// Number formats a number for an option of a stage.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
