package models

import (
	"fmt"
	"slices"

	"superpoint/embed/classes"
)

// Classes returns the classifier that an option names: a built-in one or a file.
func Classes(option, name string) (*classes.Model, error) {
	if !isClassesFile(name) {
		return classes.Builtin(name)
	}
	content, err := file(option, name, classes.Builtins())
	if err != nil {
		return nil, err
	}
	m, err := classes.Load(content)
	if err != nil {
		return nil, fmt.Errorf("option %s: %q: %w", option, name, err)
	}
	return m, nil
}

// isClassesFile tells whether the option classes, as given, names a file.
func isClassesFile(name string) bool { return name != "" && !slices.Contains(classes.Builtins(), name) }

// ClassesCardText returns the card of a classifier, a YAML text: its classes, what
// it reads, its network and where its weights come from.
func ClassesCardText(name string) (string, error) {
	m, err := Classes("classes", name)
	if err != nil {
		return "", err
	}
	text, err := m.Card.YAML()
	return string(text), err
}
