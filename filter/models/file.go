// SPDX-License-Identifier: BSD-3-Clause

package models

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/embed"
	"superpoint/embed/classes"
	"superpoint/filter/naming"
)

// maxFile is the largest size of a model file in bytes; the paper's network has 60 kB.
const maxFile = 64 << 20

// file reads the file that an option names.
func file(option, path string, known []string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return nil, fmt.Errorf("option %s: %q is neither a built-in model nor a file%s; give a path, or one of %s",
			option, path, naming.DidYouMean(path, known), strings.Join(known, ", "))
	case err != nil:
		return nil, fmt.Errorf("option %s: %w", option, err)
	case info.IsDir():
		return nil, fmt.Errorf("option %s: %q is a folder; give a model file made by `superpoint train`", option, path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("option %s: %q is a pipe or a device; give a model file made by `superpoint train`", option,
			path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("option %s: %q has %d bytes, which no model has; give a model file made by `superpoint "+
			"train`", option, path, info.Size())
	}
	content, err := os.ReadFile(path)
	if err != nil {
		err = fmt.Errorf("option %s: %w", option, err)
	}
	return content, err
}

// Pinned returns options of the stage with absolute paths, and by option the SHA-256 of each file and the checksum of
// each built-in model that may be used, so that other processes can check that they use the same.
func Pinned(options map[string]string) (pinned, content map[string]string, err error) {
	pinned, content = maps.Clone(options), map[string]string{}
	if pinned == nil {
		pinned = map[string]string{}
	}
	for option, builtin := range map[string]func(name string) (sum string, is bool, err error){
		"model": builtinModel, "classes": builtinClasses} {
		value := options[option]
		sum, is, err := builtin(value)
		if err != nil {
			return nil, nil, err
		}
		if is {
			if sum != "" {
				content[option] = sum
			}
			continue
		}
		if pinned[option], err = filepath.Abs(value); err != nil {
			return nil, nil, err
		}
		text, err := os.ReadFile(value)
		if err != nil {
			return nil, nil, fmt.Errorf("option %s: %w", option, err)
		}
		content[option] = fmt.Sprintf("%x", sha256.Sum256(text))
	}
	return pinned, content, nil
}

// builtinModel returns the checksums of the built-in models that a value of the option model may choose; is is false
// for files.
func builtinModel(name string) (sum string, is bool, err error) {
	names := []string{name}
	switch {
	case IsFile(name):
		return "", false, nil
	case name == Geometric:
		return "", true, nil
	case name == "" || name == Auto:
		names = embed.Builtins()
	}
	for _, name := range names {
		m, err := embed.Builtin(name)
		if err != nil {
			return "", true, err
		}
		sum += m.Sum()
	}
	return sum, true, nil
}

func builtinClasses(name string) (sum string, is bool, err error) {
	if name == "" || isClassesFile(name) {
		return "", name == "", nil
	}
	m, err := classes.Builtin(name)
	if err != nil {
		return "", true, err
	}
	return m.Sum(), true, nil
}

// Classes loads the classifier that an option names: a built-in one or a file.
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

// isClassesFile reports whether the value of the option classes is a file.
func isClassesFile(name string) bool { return name != "" && !slices.Contains(classes.Builtins(), name) }

// ClassesCardText returns the card of a classifier as YAML: classes, inputs, network, training.
func ClassesCardText(name string) (string, error) {
	m, err := Classes("classes", name)
	if err != nil {
		return "", err
	}
	text, err := m.Card.YAML()
	return string(text), err
}
