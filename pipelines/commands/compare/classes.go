// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"superpoint/embed/classes"
	"superpoint/filter/message"
	"superpoint/partition/metrics"
)

// FewestPoints is the number of true points below which a class is not in the mean, and userCode the first code of LAS
// that everybody may use as they like.
const FewestPoints, userCode, other = 100, 64, 1

// ClassRow has the scores of a class in all files together. That of all classes has the accuracy as recall and
// precision, and the mean IoU of classes with at least FewestPoints true points.
type ClassRow struct {
	Class     *int          `json:"class"` // nil for all
	Name      string        `json:"name"`
	Points    int64         `json:"points"`
	Predicted int64         `json:"predicted"`
	Recall    metrics.Ratio `json:"recall"`
	Precision metrics.Ratio `json:"precision"`
	IoU       metrics.Ratio `json:"iou"`
}

// classScores compares a dimension of predicted classes with the true ones. Points without a true class are left out.
// Without rules vegetation of all heights is one class, and true codes of users that are not predicted are class 1.
func (e *evaluation) classScores(files []string) ([]ClassRow, error) {
	of, count := e.Labels, map[[2]int]int64{} // by true and predicted class
	if of.Rules == nil {
		of.Rules = []Rule{{Match: "*", Merge: [][]int{classes.Vegetation()}}}
	}
	for i, path := range files {
		if RuleFor(of.Rules, path, of.Truth).Truth == e.predicted {
			return nil, fmt.Errorf("option predicted: %s is also the dimension of true classes; name another one with --truth",
				e.predicted)
		}
		c, err := of.read(e.Host, path, func(*Rule) []string { return []string{e.predicted} })
		if err != nil {
			return nil, message.File(path, err)
		}
		predicted, err := labels(c.Columns, e.predicted, "predicted")
		if err != nil {
			return nil, message.File(path, err)
		}
		for k, class := range c.class {
			if class > 0 {
				count[[2]int{int(class), int(c.rule.label(predicted[k]))}]++
			}
		}
		e.Host.Progress("files", float64(i+1)/float64(len(files)))
	}
	if e.Rules != nil {
		return ScoreClasses(count), nil
	}
	rows := ScoreClasses(mergeUserCodes(count))
	for i := range rows {
		if class := rows[i].Class; class != nil && *class == classes.Vegetation()[0] {
			rows[i].Name = "vegetation"
		}
	}
	return rows, nil
}

// mergeUserCodes counts true codes of users that are never predicted as class 1.
func mergeUserCodes(count map[[2]int]int64) map[[2]int]int64 {
	predicted, merged := map[int]bool{}, map[[2]int]int64{}
	for pair := range count {
		predicted[pair[1]] = true
	}
	for pair, n := range count {
		if pair[0] >= userCode && !predicted[pair[0]] {
			pair[0] = other
		}
		merged[pair] += n
	}
	return merged
}

// ScoreClasses returns the scores of classes, and of all, from numbers of points by true and predicted class.
func ScoreClasses(count map[[2]int]int64) []ClassRow {
	truth, guess := map[int]int64{}, map[int]int64{}
	all := ClassRow{Name: "all"}
	right := int64(0)
	for pair, n := range count {
		truth[pair[0]], guess[pair[1]] = truth[pair[0]]+n, guess[pair[1]]+n
		all.Points += n
		if pair[0] == pair[1] {
			right += n
		}
	}
	codes := slices.Concat(slices.Collect(maps.Keys(truth)), slices.Collect(maps.Keys(guess)))
	slices.Sort(codes)
	ratio := func(part, of int64) metrics.Ratio { return metrics.Ratio(float64(part) / float64(of)) }
	var rows []ClassRow
	mean := 0
	for _, code := range slices.Compact(codes) {
		both := count[[2]int{code, code}]
		r := ClassRow{Class: &code, Name: classes.Name(code), Points: truth[code], Predicted: guess[code],
			Recall: ratio(both, truth[code]), Precision: ratio(both, guess[code]),
			IoU: ratio(both, truth[code]+guess[code]-both)}
		if rows = append(rows, r); r.Points >= FewestPoints {
			all.IoU += r.IoU
			mean++
		}
	}
	all.IoU /= metrics.Ratio(mean)
	all.Predicted, all.Recall, all.Precision = all.Points, ratio(right, all.Points), ratio(right, all.Points)
	return append(rows, all)
}

// classColumns are those of the table of classes.
func classColumns() []column[ClassRow] {
	return []column[ClassRow]{
		text("class", func(r *ClassRow) string {
			if r.Class == nil {
				return ""
			}
			return strconv.Itoa(*r.Class)
		}),
		text("name", func(r *ClassRow) string { return r.Name }),
		whole("points", func(r *ClassRow) int64 { return r.Points }),
		whole("predicted", func(r *ClassRow) int64 { return r.Predicted }),
		share("recall", "recall %", func(r *ClassRow) metrics.Ratio { return r.Recall }),
		share("precision", "precision %", func(r *ClassRow) metrics.Ratio { return r.Precision }),
		share("iou", "IoU %", func(r *ClassRow) metrics.Ratio { return r.IoU }),
	}
}
