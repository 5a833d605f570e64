package filter

import (
	"math"
	"reflect"
	"slices"
	"strings"
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
