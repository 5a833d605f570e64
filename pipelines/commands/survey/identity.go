// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"strings"

	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/job"
)

var errChanged = errors.New("changed since the survey was planned; put it back, or plan in another folder")

// identity returns the identity of source k. It reads the file only if its stamp has changed since it was
// planned.
func identity(v *folder.Survey, k int) string {
	s := &v.Plan.Sources[k]
	now, err := s.Now(s.Path)
	if err != nil {
		return err.Error()
	}
	return now
}

// content returns the identity of source k, which it reads.
func content(v *folder.Survey, k int) string {
	now, err := job.Content(v.Plan.Sources[k].Path)
	if err != nil {
		return err.Error()
	}
	return now
}

// unchanged fails if sources have not the identity that they had when they were planned.
func unchanged(v *folder.Survey, which []int, now func(v *folder.Survey, k int) string) error {
	changed := make([]bool, len(which))
	err := v.Parallel().ForEach(len(which), 1, func(n int) {
		changed[n] = now(v, which[n]) != v.Plan.Sources[which[n]].Content
	})
	var paths []string
	for n, k := range which {
		if changed[n] {
			paths = append(paths, v.Plan.Sources[k].Path)
		}
	}
	switch count := len(paths); {
	case err != nil || count == 0:
		return err
	case count == 1:
		return fmt.Errorf("%s: the file has %w", paths[0], errChanged)
	case count > mostNamed:
		paths = append(paths[:mostNamed], fmt.Sprintf("and %d more", count-mostNamed))
		fallthrough
	default:
		return fmt.Errorf("%d of %d files %w: %s", count, len(v.Plan.Sources), errChanged,
			strings.Join(paths, ", "))
	}
}

const mostNamed = 3 // files or errors in a message about many
