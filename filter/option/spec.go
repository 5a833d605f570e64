// SPDX-License-Identifier: BSD-3-Clause

// Package option has the options of the stage: their table, their values, and the settings of the steps that
// follow from them and from a model.
package option

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"superpoint/filter/method"
	"superpoint/filter/naming"
)

// Kind is the type of an option's value.
type Kind string

// The kinds of options.
const (
	KindText      Kind = "text"
	KindChoice    Kind = "choice"    // one of Spec.Choices
	KindDimension Kind = "dimension" // the name of a dimension
	KindNumber    Kind = "number"
	KindNumbers   Kind = "numbers" // one or several, comma separated
	KindInteger   Kind = "integer"
	KindBoolean   Kind = "boolean"
)

// Group is the topic of an option.
type Group string

// The groups of options.
const (
	GroupMaking  Group = "making"  // computation of superpoints
	GroupWriting Group = "writing" // dimensions to write
)

// Spec describes one option of the stage. The library, the PDAL stage, the commands,
// the pages and the QGIS plugin are generated from it or read it. Texts are Markdown;
// Plain removes the backticks.
type Spec struct {
	Name        string
	Kind        Kind
	Group       Group
	Common      bool   // among the first that a dialog shows
	List        bool   // a text of several values, comma separated
	Default     string // as a user would write it; "" if DefaultText has it
	DefaultText string // in words, what holds where the option is not given
	Choices     []Choice
	Range       Range    // of a number
	Unit        string   // of a number: what it counts, or metres
	Example     string   // a value to try
	Needs       string   // an option without which it is refused; "" = none
	Alternative string   // end of the error for a value that is refused
	Methods     []string // that use it; nil means all
	Help        string   // one line, without choices, methods and default
	Details     string   // further text on the page of the stage

	of     func(m *method.Method) bool // selects Methods; nil means all
	unused func(o *Options) string     // why it has no effect and the remedy; "" if it has
}

// Choice is one of several values of an option.
type Choice struct{ Name, Help string }

// Range is a closed interval of numbers.
type Range struct{ Min, Max float64 }

// String returns the range in words; "" for the zero value.
func (r Range) String() string {
	switch {
	case r == Range{}:
		return ""
	case r.Max == maxNumber || r.Max == maxCount:
		return "at least " + number(r.Min)
	}
	return "from " + number(r.Min) + " to " + number(r.Max)
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// ChoiceNames returns the names of Choices.
func (s *Spec) ChoiceNames() (names []string) {
	for _, c := range s.Choices {
		names = append(names, c.Name)
	}
	return names
}

// Plain returns a Markdown text without its backticks.
func Plain(text string) string { return strings.ReplaceAll(text, "`", "") }

// Line returns the help as a line of plain text, with choices, methods and default.
func (s *Spec) Line() string {
	text := s.Help
	if s.Choices != nil {
		text += ": " + strings.Join(s.ChoiceNames(), ", ")
	}
	if s.Methods != nil {
		text += "; for " + strings.Join(s.Methods, ", ")
	}
	if s.DefaultText != "" {
		text += " (default: " + s.DefaultText + ")"
	}
	return Plain(text)
}

// set parses and checks a value and assigns it to its field.
func (s *Spec) set(o *Options, written string) error {
	value := strings.TrimSpace(written)
	field := s.Field(o)
	switch f := field.(type) {
	case *string:
		return s.setText(f, value)
	case *bool:
		return s.setBoolean(f, value)
	case **bool:
		*f = new(bool)
		return s.setBoolean(*f, value)
	case *[]float64:
		return s.setNumbers(f, value)
	}
	x, err := s.parseNumber(value)
	if err != nil {
		return err
	}
	switch f := field.(type) {
	case *float64:
		*f = x
	case **float64:
		*f = &x
	case *int:
		*f = int(x)
	case *uint32:
		*f = uint32(x)
	default:
		panic(fmt.Sprintf("option %s: no way to set a %T", s.Name, field))
	}
	return nil
}

func (s *Spec) setText(field *string, value string) error {
	if value == "" {
		return fmt.Errorf("option %s: the value is empty; leave the option out for its default", s.Name)
	}
	if s.Kind == KindChoice && !slices.Contains(s.ChoiceNames(), value) {
		names := s.ChoiceNames()
		remedy := "choose one of " + strings.Join(names, ", ")
		if s.Alternative != "" {
			remedy += "; " + s.Alternative
		}
		return fmt.Errorf("option %s: unknown value %q%s; %s", s.Name, value,
			naming.DidYouMean(value, names), remedy)
	}
	*field = value
	return nil
}

func (s *Spec) setBoolean(field *bool, value string) error {
	b, err := strconv.ParseBool(strings.ToLower(value))
	if err != nil {
		return fmt.Errorf("option %s: %q is neither true nor false; give one of them", s.Name, value)
	}
	*field = b
	return nil
}

// parseNumber returns a number of the option's kind and range.
func (s *Spec) parseNumber(value string) (float64, error) {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0, fmt.Errorf("option %s: %q is not a number; %s", s.Name, value, s.Remedy())
	}
	r := s.Range
	inRange := x >= r.Min && x <= r.Max
	if !inRange { // also NaN
		above := ""
		if most := number(r.Max); x > r.Max && !strings.HasSuffix(r.String(), most) {
			above = ", above " + most
		}
		return 0, fmt.Errorf("option %s: %v is out of range%s; %s", s.Name, x, above, s.Remedy())
	}
	if s.Kind == KindInteger && x != math.Trunc(x) {
		return 0, fmt.Errorf("option %s: %v is not a whole number; %s", s.Name, x, s.Remedy())
	}
	return x, nil
}

func (s *Spec) setNumbers(field *[]float64, value string) error {
	for part := range strings.SplitSeq(value, ",") {
		x, err := s.parseNumber(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		*field = append(*field, x)
	}
	return nil
}

// Remedy returns the end of the error for a number that is refused.
func (s *Spec) Remedy() string {
	text := "give a number "
	if s.Kind == KindInteger {
		text = "give a whole number "
	}
	text += s.Range.String()
	if s.Unit != "" {
		text += " (" + s.Unit + ")"
	}
	text += ", for example " + s.Example
	if s.Alternative != "" {
		text += ", or " + s.Alternative
	}
	return text
}

// Ends of ranges that have no natural one.
const (
	minNumber = 1e-6    // for weights and lengths above 0: squares and quotients of them are finite
	maxNumber = 1e6     // for weights and lengths
	maxCount  = 1 << 30 // for numbers of points
)

// GoName returns the field's name in Options: SeedResolution for seed_resolution.
func (s *Spec) GoName() string {
	var b strings.Builder
	for word := range strings.SplitSeq(s.Name, "_") {
		n := 1
		if slices.Contains([]string{"id", "knn"}, word) {
			n = len(word)
		}
		b.WriteString(strings.ToUpper(word[:n]) + word[n:])
	}
	return b.String()
}

// GoType returns the type of that field: a pointer, nil if the option is not given,
// where zero or false differs from the default.
func (s *Spec) GoType() string {
	switch s.Kind {
	case KindBoolean:
		if s.Default != "false" {
			return "*bool"
		}
		return "bool"
	case KindNumber:
		if s.Range.Min <= 0 {
			return "*float64"
		}
		return "float64"
	case KindNumbers:
		return "[]float64"
	case KindInteger:
		if s.Range.Max > math.MaxInt32 {
			return "uint32"
		}
		return "int"
	}
	return "string"
}

// Field returns a pointer to the option's field.
func (s *Spec) Field(o *Options) any {
	return reflect.ValueOf(o).Elem().FieldByName(s.GoName()).Addr().Interface()
}
