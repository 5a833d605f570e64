// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"superpoint/filter/message"
)

// mostNamed is the number of files that a line names.
const mostNamed = 3

// firstOf returns the first names of a list, separated, with … for the others.
func firstOf(names []string, separator string) string {
	if len(names) <= mostNamed {
		return strings.Join(names, separator)
	}
	return strings.Join(names[:mostNamed], separator) + separator + "…"
}

// repeats counts the warnings of many files that say the same. The first is logged at once, the others by
// one line at the end of the command.
type repeats struct {
	lock  sync.Mutex
	kinds []*repeat // in the order of their first warnings
}

// repeat is a warning that several files have.
type repeat struct {
	kind  string   // its text with # for numbers
	text  string   // of the first file
	files []string // those that have it
}

// number is what may differ between warnings that say the same.
var number = regexp.MustCompile(`\d[\d.,]*`)

// first reports whether a warning about a file is to be logged: no other file has had it, whatever its
// numbers.
func (r *repeats) first(file, text string) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	kind := number.ReplaceAllString(text, "#")
	at := slices.IndexFunc(r.kinds, func(k *repeat) bool { return k.kind == kind })
	if at < 0 {
		r.kinds = append(r.kinds, &repeat{kind: kind, text: text, files: []string{file}})
		return true
	}
	k := r.kinds[at]
	if file == k.files[0] {
		return true
	}
	if !slices.Contains(k.files, file) {
		k.files = append(k.files, file)
	}
	return false
}

// lines returns a line for each warning of several files, and forgets all.
func (r *repeats) lines() (all []string) {
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, k := range r.kinds {
		others := k.files[1:]
		if len(others) == 0 {
			continue
		}
		all = append(all, fmt.Sprintf("the same in %s (%s): %s",
			message.Count(len(others), "further file"), firstOf(others, ", "), k.text))
	}
	r.kinds = nil
	return all
}

// ending is the ending of a file.
var ending = regexp.MustCompile(`\.\w+$`)

// aboutFile divides a warning "FILE: text", or "FILE, system: text". file is "" for other warnings.
func aboutFile(warning string) (file, text string) {
	about, text, _ := strings.Cut(warning, ": ")
	file, _, _ = strings.Cut(about, ", ")
	if !ending.MatchString(file) {
		return "", warning
	}
	return file, text
}
