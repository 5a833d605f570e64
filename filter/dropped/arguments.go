package dropped

import "strings"

// arguments are those of a pdal command after its name.
type arguments struct {
	files   []string
	options map[string][]string // without dashes
}

// Options that take no value; all others do.
var switches = map[string]bool{
	"nostream": true, "stream": true, "debug": true, "developer-debug": true, "help": true, "h": true,
	"logtiming": true, "validate": true, "stdin": true, "s": true, "no-filename": true,
}

func parse(args []string) *arguments {
	a := &arguments{options: map[string][]string{}}
	for k := 0; k < len(args); k++ {
		name := strings.TrimLeft(args[k], "-")
		if name == args[k] || name == "" {
			a.files = append(a.files, args[k])
			continue
		}
		name, value, given := strings.Cut(name, "=")
		if !given && !switches[name] && k+1 < len(args) {
			k++
			value = args[k]
		}
		a.options[name] = append(a.options[name], value)
	}
	return a
}

// all returns the values of an option that has several names.
func (a *arguments) all(names ...string) (values []string) {
	for _, name := range names {
		values = append(values, a.options[name]...)
	}
	return values
}

// first returns the first value of an option, or "".
func (a *arguments) first(names ...string) string {
	for _, value := range a.all(names...) {
		return value
	}
	return ""
}

// override puts options of the command line into a writer; nil if it is none of
// those that drop dimensions, or is addressed by a tag.
func (a *arguments) override(w *writer) *writer {
	if w.driver != "writers.las" && w.driver != "writers.copc" {
		return nil
	}
	for name, values := range a.options {
		switch {
		case name == w.driver+".extra_dims":
			w.extra = values[0]
		case name == w.driver+".filename":
			w.file = values[0]
		case strings.HasPrefix(name, "stage."):
			return nil
		}
	}
	return w
}
