package models

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
)

// Pinned returns options of the stage that are good in every folder and for one content
// of the files that they name: with absolute paths, and the SHA-256 of each such file by
// option, because a file may be replaced under the same name.
func Pinned(options map[string]string) (pinned, content map[string]string, err error) {
	pinned, content = maps.Clone(options), map[string]string{}
	if pinned == nil {
		pinned = map[string]string{}
	}
	for option, isFile := range map[string]func(string) bool{"model": IsFile, "classes": isClassesFile} {
		value := options[option]
		if !isFile(value) {
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
