package filter

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/cli"
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
	KindInteger   Kind = "integer"
	KindBoolean   Kind = "boolean"
)

// Group says what an option is about.
type Group string

// The groups of options.
const (
	GroupMaking    Group = "making"    // how superpoints are made
	GroupWriting   Group = "writing"   // what is written to the points
	GroupMeasuring Group = "measuring" // what they are compared with
)

// Spec states one option of the stage: all that the library, PDAL, the commands,
// the pages and the QGIS plugin know of it. Texts are Markdown: Plain takes the
// backticks off.
type Spec struct {
	Name    string
	Kind    Kind
	Group   Group
	Common  bool   // among the first that a dialog shows
	Default string // as a user would write it; "" if Unset says it
	Unset   string // in words, what holds where the option is not given
	Choices []Choice
	Range   Range    // of a number
	Unit    string   // of a number: what it counts, or metres
	Example string   // a value to try
	Needs   string   // an option without which it is refused; "" = none
	Else    string   // end of the error for a value that is refused
	Methods []string // that use it; nil means all
	Help    string   // one line, without choices, methods and default
	More    string   // what the page of the stage says beside that

	of     func(m *method.Method) bool // what Methods lists
	unused func(o *Options) string
}

// Choice is one of several values of an option.
type Choice struct{ Name, Help string }

// Range is that of a number, with both ends unless Above leaves the lower one out.
type Range struct {
	Least, Most float64
	Above       bool
}

// String says the range in words; "" for none.
func (r Range) String() string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	switch {
	case r == Range{}:
		return ""
	case r.Above:
		return "above " + number(r.Least)
	case r.Most == boundless || r.Most == maxCount:
		return "at least " + number(r.Least)
	}
	return "from " + number(r.Least) + " to " + number(r.Most)
}

// Numeric reports whether the option is a number.
func (s *Spec) Numeric() bool { return s.Kind == KindNumber || s.Kind == KindInteger }

// ChoiceNames returns the values that a choice has.
func (s *Spec) ChoiceNames() (names []string) {
	for _, c := range s.Choices {
		names = append(names, c.Name)
	}
	return names
}

// Plain takes the marks of Markdown off a text.
func Plain(text string) string { return strings.ReplaceAll(text, "`", "") }

// Line is the help in a line of plain text, with values and methods.
func (s *Spec) Line() string {
	text := s.Help
	if s.Choices != nil {
		text += ": " + strings.Join(s.ChoiceNames(), ", ")
	}
	if s.Methods != nil {
		text += "; for " + strings.Join(s.Methods, ", ")
	}
	if s.Unset != "" {
		text += " (default: " + s.Unset + ")"
	}
	return Plain(text)
}

// set checks a value as it was written and puts it into its field.
func (s *Spec) set(o *Options, written string) error {
	value := strings.TrimSpace(written)
	switch field := s.field(o).(type) {
	case *string:
		return s.setText(field, value)
	case *bool:
		return s.setBoolean(field, value)
	case **bool:
		*field = new(bool)
		return s.setBoolean(*field, value)
	case *float64:
		return s.setNumber(value, func(x float64) { *field = x })
	case **float64:
		return s.setNumber(value, func(x float64) { *field = &x })
	case *int:
		return s.setNumber(value, func(x float64) { *field = int(x) })
	case *uint32:
		return s.setNumber(value, func(x float64) { *field = uint32(x) })
	default:
		panic(fmt.Sprintf("option %s: no way to set a %T", s.Name, field))
	}
}

func (s *Spec) setText(field *string, value string) error {
	if value == "" {
		return fmt.Errorf("option %s: the value is empty; leave the option out for its default", s.Name)
	}
	if s.Kind == KindChoice && !slices.Contains(s.ChoiceNames(), value) {
		names := s.ChoiceNames()
		remedy := "choose one of " + strings.Join(names, ", ")
		if s.Else != "" {
			remedy += "; " + s.Else
		}
		return fmt.Errorf("option %s: unknown value %q%s; %s", s.Name, value, cli.DidYouMean(value, names), remedy)
	}
	if s.Kind == KindDimension {
		if err := naming.CheckDimension(s.Name, value); err != nil {
			return err
		}
	}
	*field = value
	return nil
}

func (s *Spec) setBoolean(field *bool, value string) error {
	b, err := strconv.ParseBool(strings.ToLower(value))
	if err != nil {
		return fmt.Errorf("option %s: %q is neither true nor false", s.Name, value)
	}
	*field = b
	return nil
}

func (s *Spec) setNumber(value string, set func(x float64)) error {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return fmt.Errorf("option %s: %q is not a number; %s", s.Name, value, s.Remedy())
	}
	r := s.Range
	if inside := x >= r.Least && x <= r.Most && !(r.Above && x == r.Least); !inside || math.IsNaN(x) {
		return fmt.Errorf("option %s: %v is out of range; %s", s.Name, x, s.Remedy())
	}
	if s.Kind == KindInteger && x != math.Trunc(x) {
		return fmt.Errorf("option %s: %v is not a whole number; %s", s.Name, x, s.Remedy())
	}
	set(x)
	return nil
}

// Remedy says what to do where a value of a number is refused.
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
	if s.Else != "" {
		text += ", or " + s.Else
	}
	return text
}

// Ranges of numbers that have no natural end.
const (
	boundless = 1e6     // of weights and lengths
	maxCount  = 1 << 30 // of points
)

// GoName is what the option is called in Options: SeedResolution for seed_resolution.
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

// GoType is the type of that field: a pointer where nothing given, which is nil then,
// differs from zero and false.
func (s *Spec) GoType() string {
	switch s.Kind {
	case KindBoolean:
		if s.Default != "false" {
			return "*bool"
		}
		return "bool"
	case KindNumber:
		if s.Range.Least <= 0 && !s.Range.Above {
			return "*float64"
		}
		return "float64"
	case KindInteger:
		if s.Range.Most > math.MaxInt32 {
			return "uint32"
		}
		return "int"
	}
	return "string"
}

// field returns where the value goes; go generate writes the fields of new options.
func (s *Spec) field(o *Options) any {
	return reflect.ValueOf(o).Elem().FieldByName(s.GoName()).Addr().Interface()
}
