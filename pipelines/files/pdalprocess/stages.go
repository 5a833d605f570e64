// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
)

// Number formats a number for an option of a stage.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// serialise returns a pipeline as JSON. It fails for floating point numbers, which PDAL 2.2 cuts to six digits.
func serialise(stages []any) ([]byte, error) {
	if path := findFloat(reflect.ValueOf(stages), "stages"); path != "" {
		return nil, fmt.Errorf("%s is a floating point number, which PDAL would round: format it by pdalprocess.Number", path)
	}
	return json.Marshal(stages)
}

// findFloat returns the path of a floating point number in a value, or "".
func findFloat(v reflect.Value, path string) string {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return path
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			return findFloat(v.Elem(), path)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if found := findFloat(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); found != "" {
				return found
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if found := findFloat(v.MapIndex(key), fmt.Sprintf("%s.%v", path, key)); found != "" {
				return found
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if found := findFloat(v.Field(i), path+"."+v.Type().Field(i).Name); found != "" {
				return found
			}
		}
	}
	return ""
}
