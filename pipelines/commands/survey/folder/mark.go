// SPDX-License-Identifier: BSD-3-Clause

package folder

import (
	"sync"

	"superpoint/filter/land"
	"superpoint/partition/local"
	"superpoint/pipelines/job"
)

// Mark is the record of a finished step.
type Mark struct {
	job.Mark

	Points int64 `json:"points"` // of the source, of the core of the tile, of the survey

	Cores   map[string]int `json:"cores,omitempty"`   // cut: points by tile
	Records uint32         `json:"records,omitempty"` // cut: checksum of the records of the source
	// checksums of records: cut by tile, label by source
	Parts map[string]uint32 `json:"parts,omitempty"`
	Dim   int               `json:"dim,omitempty"` // embed: columns of the embedding
	// embed: number of edges longer than the reach
	Long       int   `json:"long_edges,omitempty"`
	HaloPoints int64 `json:"halo_points,omitempty"` // embed, coarsen: points around the core
	// embed, coarsen: its width, in units of the coordinates
	Halo float64 `json:"halo,omitempty"`
	// embed: places around which it read more points
	Places         int         `json:"places,omitempty"`
	Merged         *MergedHead `json:"merged,omitempty"` // merge
	CoreComponents int         `json:"pieces,omitempty"` // refine, number: core components
	*Superpoints
	Classes *land.Summary `json:"classes,omitempty"` // classify
	File    string        `json:"file,omitempty"`    // write: file name in out
}

// Superpoints has counts of a survey.
type Superpoints struct {
	Tiles       int     `json:"tiles"`
	Superpoints int64   `json:"superpoints"`
	Crossing    int64   `json:"crossing"`          // parts of superpoints that lie in several tiles
	Coarser     []int64 `json:"coarser,omitempty"` // superpoints of coarser levels
}

// MergedHead is the part of the merged partition that every tile reads.
type MergedHead struct {
	Initial int                `json:"initial_components"`
	Head    local.MergedHeader `json:"head"`
}

// markSet has all marks of a step.
type markSet struct {
	marks []*Mark
	sum   string
}

// markCache has the marks of steps that are finished for all sources or tiles.
type markCache struct {
	lock sync.Mutex // results are written at once
	sets map[string]markSet
}

func newMarkCache() *markCache { return &markCache{sets: map[string]markSet{}} }

func (c *markCache) get(step string) (s markSet, ok bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	s, ok = c.sets[step]
	return s, ok
}

func (c *markCache) put(step string, s markSet) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.sets[step] = s
}
