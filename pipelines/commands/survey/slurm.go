// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"strings"
)

//go:embed slurm.sh
var slurmFunctions string

// WriteSLURM writes a script for bash that submits all units, a job array for each step. A step begins when
// all units of the step before have succeeded; embed begins also if some sources cannot be cut, so that the
// tiles of the others are embedded.
func (l *Listing) WriteSLURM(w io.Writer) error {
	var calls strings.Builder
	before := ""
	for _, s := range Steps() {
		count, megabytes := l.demand(s.Name)
		fmt.Fprintf(&calls, "%s=$(submit %s %d %d%s \"$@\")\n", s.Name, s.Name, count, megabytes,
			dependency(before))
		before = s.Name
	}
	_, err := fmt.Fprintf(w, "#!/bin/bash\nset -euo pipefail\nfolder=%s\n%s%secho \"$%s\"\n",
		shellQuoted(l.Folder), slurmFunctions, calls.String(), before)
	return err
}

// dependency returns the option of sbatch for the step after another, "" for the first step.
func dependency(before string) string {
	switch before {
	case "":
		return ""
	case "cut":
		return ` --dependency=afterany:"$cut"`
	}
	return fmt.Sprintf(` --dependency=afterok:"$%s"`, before)
}

// demand returns the number of units of a step, and the memory of the largest one in the megabytes of SLURM
// (2^20).
func (l *Listing) demand(step string) (count int, megabytes int64) {
	for _, u := range l.Units {
		if u.Step == step {
			count++
			megabytes = max(megabytes, int64(math.Ceil(float64(u.Memory)/(1<<20))))
		}
	}
	return count, megabytes
}
