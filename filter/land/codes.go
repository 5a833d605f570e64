// SPDX-License-Identifier: BSD-3-Clause

package land

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/classes"
)

// CodeTable has the codes that are written for classes of LAS: by the option class_codes, for the
// tables of national surveys, else the same.
type CodeTable struct {
	to    map[int]int    // by code of LAS
	names map[int]string // of codes that are written
	given []int          // codes of LAS that points may get
}

// Of returns the code to write for one of LAS.
func (c CodeTable) Of(code int) int {
	if to, is := c.to[code]; is {
		return to
	}
	return code
}

// Name returns the name of a code that is written.
func (c CodeTable) Name(code int) string {
	if name, is := c.names[code]; is {
		return name
	}
	return classes.Name(code)
}

// Back returns the code of LAS by code that is written. It fails if classes of different kinds, such as
// buildings and vegetation, share a code.
func (c CodeTable) Back() (map[int]int, error) {
	back := map[int]int{}
	for _, code := range c.given {
		other, twice := back[c.Of(code)]
		back[c.Of(code)] = code
		if twice && kind(other) != kind(code) {
			return nil, fmt.Errorf(
				"option class_codes: %s and %s both become %d, and cannot be told apart then; give them two "+
					"codes, or use pdal superpoint segment", classes.Name(other),
				classes.Name(code), c.Of(code))
		}
	}
	return back, nil
}

// isNoise reports whether a class is low or high noise in LAS.
func isNoise(class float64) bool { return class == classes.Noise || class == classes.HighNoise }

// kind returns one code for vegetation of all heights, and one for all noise.
func kind(code int) int {
	switch {
	case slices.Contains(classes.Vegetation(), code):
		return classes.Vegetation()[2]
	case isNoise(float64(code)):
		return classes.Noise
	}
	return code
}

// givenClass is a name and the codes of LAS that points of that name get.
type givenClass struct {
	name  string
	codes []int
}

// givenClasses returns the classes that points may get: first a classifier's classes by their own names, then
// all classes by the names of LAS.
func givenClasses(m *classes.Model) []givenClass {
	var own, all []givenClass
	add := func(codes ...int) {
		for _, code := range codes {
			all = append(all, givenClass{classes.Name(code), []int{code}})
		}
	}
	for _, c := range m.Card.Classes {
		codes := []int{c.Code}
		if m.HasHeights() && c.Code == classes.Vegetation()[2] {
			codes = classes.Vegetation()
		}
		own = append(own, givenClass{c.Name, codes})
		add(codes...)
	}
	add(classes.Unclassified, classes.Noise, classes.HighNoise)
	for _, c := range all {
		if !slices.ContainsFunc(own, func(k givenClass) bool { return k.name == c.name }) {
			own = append(own, c)
		}
	}
	return own
}

// ParseClassCodes parses class_codes, such as "building=26,vegetation=3" or, in a pipeline, {"building": 26}.
func ParseClassCodes(m *classes.Model, text string) (c CodeTable, err error) {
	c = CodeTable{to: map[int]int{}, names: map[int]string{}}
	known := givenClasses(m)
	for _, k := range known {
		c.given = append(c.given, k.codes...)
	}
	if text == "" {
		return c, nil
	}
	if strings.HasPrefix(text, "{") {
		text = strings.NewReplacer("{", "", "}", "", `"`, "", ":", "=").Replace(text)
	}
	for part := range strings.SplitSeq(text, ",") {
		name, code, _ := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		at := slices.IndexFunc(known, func(k givenClass) bool {
			return strings.EqualFold(k.name, name) || len(k.codes) == 1 && strconv.Itoa(k.codes[0]) == name
		})
		to, err := strconv.ParseUint(strings.TrimSpace(code), 10, 8)
		if at < 0 || err != nil {
			return c, fmt.Errorf(
				"option class_codes: %q is not a class and the code to write for it; write, for example, "+
					"building=26, with a code from 0 to 255 and one of the classes %s", part, list(known))
		}
		for _, code := range known[at].codes {
			if other, twice := c.to[code]; twice {
				return c, fmt.Errorf(
					"option class_codes: %q: class %d, %s, is %d before; leave one of them out", part, code,
					classes.Name(code), other)
			}
			c.to[code] = int(to)
		}
		if c.names[int(to)] != "" {
			name = c.names[int(to)] + "/" + name
		}
		c.names[int(to)] = name
	}
	for to, name := range c.names {
		keeps := slices.ContainsFunc(known, func(k givenClass) bool { return slices.Contains(k.codes, to) })
		if _, moved := c.to[to]; keeps && !moved { // the class that has this code in LAS keeps it
			c.names[to] = classes.Name(to) + "/" + name
		}
	}
	return c, nil
}

// Most returns the greatest code that is written for the classes of a classifier.
func (c CodeTable) Most(m *classes.Model) (most int) {
	for _, class := range givenClasses(m) {
		most = max(most, c.Of(class.codes[0]))
	}
	return most
}

// allClasses is the value of class_change for all classes.
const allClasses = "all"

// ClassCodes parses a list of class codes, "0,1"; nil for "all".
func ClassCodes(option, text string) ([]uint8, error) {
	if text == allClasses {
		return nil, nil
	}
	var codes []uint8
	for part := range strings.SplitSeq(text, ",") {
		code, err := strconv.ParseUint(strings.TrimSpace(part), 10, 8)
		if err != nil {
			return nil, fmt.Errorf(
				"option %s: %q is not a class; give codes from 0 to 255, comma separated, for example "+
					"0,1, or all", option, part)
		}
		codes = append(codes, uint8(code))
	}
	return codes, nil
}

// VegetationHeights parses the option vegetation_heights: the least heights in metres of medium and of high
// vegetation.
func VegetationHeights(text string) (heights [2]float64, err error) {
	medium, high, two := strings.Cut(text, ",")
	for k, part := range []string{medium, high} {
		h, bad := strconv.ParseFloat(strings.TrimSpace(part), 64)
		heights[k] = h
		inRange := h >= 0 && h <= math.MaxFloat32 && h >= heights[0]
		if bad != nil || !two || !inRange {
			return heights, fmt.Errorf(
				"option vegetation_heights: %q is not two heights; give the least heights of medium and "+
					"high vegetation in metres, the lower one first, for example 0.5,2", text)
		}
	}
	return heights, nil
}

// list formats classes with their codes.
func list(known []givenClass) string {
	var all []string
	for _, k := range known {
		all = append(all, k.name+" "+strings.ReplaceAll(fmt.Sprint(k.codes), " ", ", "))
	}
	return strings.Join(all, ", ")
}
