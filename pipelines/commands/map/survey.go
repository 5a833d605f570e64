// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"superpoint/filter/models"
	"superpoint/pipelines/commands/segment"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
)

// isReadable reports whether the head of a file can be read, if it is LAS.
func isReadable(path string) bool {
	if !sources.IsLAS(path) {
		return true
	}
	_, err := las.Read(path)
	return err == nil
}

// surveyOf returns the record of the survey of which all files are results; nil if no file is one. Files that
// cannot be read do not count.
func surveyOf(files []string) (*job.Record, error) {
	var first *job.Record
	results, others := 0, 0
	for _, path := range files {
		r := job.ReadSurvey(path)
		if r == nil {
			if isReadable(path) {
				others++
			}
			continue
		}
		results++
		if first == nil {
			first = r
		}
		if r.Plan != first.Plan {
			return nil, fmt.Errorf(
				"%s: it is a result of another survey than %s; map the results of one survey", path,
				files[0])
		}
	}
	if results == 0 || others == 0 {
		return first, nil
	}
	return nil, fmt.Errorf("%d of %d inputs are results of a survey; map these alone, or raw tiles alone",
		results, len(files))
}

// classesOfSurvey returns the options of the classes of a survey, whose results are mapped as they are. It
// fails if they have no classes, or if an option is given that would change points.
func classesOfSurvey(survey *job.Record, first string, r segment.Request) (
	map[string]string, error) {
	const asTheyAre = "results of a survey are mapped as they are; leave it out, or give it to survey plan"
	classifier := survey.Options["classes"]
	if classifier == "" {
		return nil, fmt.Errorf(
			"%s: it is a result of a survey without classes; plan it with survey plan --classifier %s",
			first, r.Options["classes"])
	}
	for _, option := range slices.Sorted(maps.Keys(r.Options)) {
		if option != "classes" && option != "threads" {
			return nil, fmt.Errorf("option %s: %s", option, asTheyAre)
		}
	}
	switch {
	case r.Area != "":
		return nil, fmt.Errorf("option area: %s", asTheyAre)
	case r.COPC:
		return nil, fmt.Errorf("option copc: no points are written, because %s", asTheyAre)
	}
	options := map[string]string{"classes": classifier, "class_codes": survey.Options["class_codes"]}
	if _, err := models.Classes("classes", classifier); err == nil {
		return options, nil
	}
	if given := r.Options["classes"]; filepath.Base(given) == classifier {
		options["classes"] = given // its folder is not in the record
		return options, nil
	}
	return nil, fmt.Errorf("%s: the survey has the classes of %s; give that file to --classifier",
		first, classifier)
}
