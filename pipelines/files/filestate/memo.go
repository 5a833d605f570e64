// SPDX-License-Identifier: BSD-3-Clause

package filestate

import (
	"fmt"
	"sync"
)

// Memo has what was computed from files. The zero value has nothing, and is ready.
//
// What is kept for a file was computed from its content and from no other: the file had one state before and
// after. Without the second look, a file that takes the place of another for a moment would leave its values
// under the name, size and times of the other.
type Memo[V any] struct{ known sync.Map }

// Of returns what compute reads from a file, and keeps it for calls with the same key until the state of the
// file changes. What was computed while the file changed is returned, and not kept.
func (m *Memo[V]) Of(path, key string, compute func() (V, error)) (value V, err error) {
	before, err := Of(path)
	if err != nil { // such as an address: nothing is kept
		return compute()
	}
	key = fmt.Sprintf("%q %q %s", key, path, before.file)
	if known, ok := m.known.Load(key); ok {
		return known.(V), nil
	}
	if value, err = compute(); err == nil && before.Holds(path) {
		m.known.Store(key, value)
	}
	return value, err
}

// OfKind is Of for values that are the same for all files of a kind. kind is asked again while the file is
// watched: the values are kept for the kind of the file that was read.
func (m *Memo[V]) OfKind(path, key string, kind func() (string, error), compute func() (V, error)) (
	value V, err error) {
	of, err := kind()
	if err != nil {
		return m.Of(path, key, compute)
	}
	if known, ok := m.known.Load(kindKey(key, of)); ok {
		return known.(V), nil
	}
	before, err := Of(path)
	if err != nil {
		return value, err
	}
	if of, err = kind(); err != nil {
		return value, err
	}
	if value, err = compute(); err == nil && before.Holds(path) {
		m.known.Store(kindKey(key, of), value)
	}
	return value, err
}

func kindKey(key, kind string) string { return fmt.Sprintf("kind %q %s", key, kind) }
