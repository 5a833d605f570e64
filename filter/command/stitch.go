package command

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"superpoint/embed/ranged"
	"superpoint/embed/whole"
	"superpoint/filter"
	"superpoint/partition/parallel"
	"superpoint/partition/tile"
)

const stitchUsage = `stitch [options] FOLDER

Joins the superpoints of all tiles of a plan (see superpoint tile -help) across
their seams, gives ids from 1 that are unique in the survey, and writes the
tiles with them to FOLDER/out. The ids do not depend on the number of processes
that made the tiles, or on their order.`

func runStitch(host Host, arguments []string) error {
	a := newArguments("stitch", stitchUsage, host, ownAll()...)
	rewrite := a.Bool("rewrite", true, "write the tiles with their ids; false leaves that to tile -finish")
	var threads int
	ranged.Int(a.FlagSet, &threads, "threads", 0, 0, mostThreads, "threads; 0 = all")
	files, err := a.parse(arguments)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return errors.New("name the folder of a plan")
	}
	p, err := openProject(files[0])
	if err != nil {
		return err
	}
	u := &unit{project: p, host: host, replaced: map[string]string{"threads": strconv.Itoa(threads)}}
	if *rewrite {
		return u.stitchAndFinish()
	}
	return u.report(u.stitch())
}

// stitchDone tells that the tiles are joined.
type stitchDone struct {
	Unit    string  `json:"unit"`
	Plan    string  `json:"plan"`
	Inputs  string  `json:"inputs"` // checksum of the tiles' marks
	Points  int64   `json:"points"`
	Seconds float64 `json:"seconds"`
	tile.Report
}

func (p *project) ids(n int) string { return p.path("ids", strconv.Itoa(n)) }

// stitch joins all tiles, unless that is done.
func (u *unit) stitch() (*stitchDone, error) {
	start := time.Now()
	s := &stitchDone{Unit: "stitch", Plan: u.sum}
	sum := []byte(u.sum)
	seams, place := make([]*tile.Seam, len(u.plan.Tiles)), make([][2]int, len(u.plan.Tiles))
	for n := range u.plan.Tiles {
		t := &u.plan.Tiles[n]
		done := new(tileDone)
		if !readJSON(u.tileMark(n), done) || done.Plan != u.sum {
			return nil, fmt.Errorf("tile %d (%s) is not done; run: superpoint tile -run %d %s", n, t.Name, n, u.folder)
		}
		var err error
		if seams[n], err = tile.ReadSeam(u.tileSeam(n)); err != nil {
			return nil, fmt.Errorf("tile %d (%s): %w", n, t.Name, err)
		}
		place[n] = [2]int{t.Column, t.Row}
		s.Points += done.Points
		sum = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(sum, done.Sum), done.SeamSum)
	}
	if err := u.lost(s.Points); err != nil {
		return nil, err
	}
	s.Inputs = fmt.Sprintf("%08x", tile.Sum(sum))
	before := new(stitchDone)
	if readJSON(u.path("stitch.json"), before) && before.Plan == s.Plan && before.Inputs == s.Inputs {
		return before, nil
	}
	threads, _ := strconv.Atoi(u.replaced["threads"])
	l := &u.plan.Layout
	joined, err := tile.Stitch(parallel.Run{Context: u.host.Context(), Threads: threads}, &u.plan.Grid, place, seams, l.Offset, l.Scale)
	if err != nil {
		return nil, err
	}
	s.Report = joined.Report
	if err := os.MkdirAll(u.path("ids"), 0o755); err != nil {
		return nil, err
	}
	for n, id := range joined.ID {
		if err := u.writeIDs(n, id); err != nil {
			return nil, err
		}
	}
	s.Seconds = math.Round(1000*time.Since(start).Seconds()) / 1000
	return s, writeJSON(u.path("stitch.json"), s)
}

// lost checks that the tiles have every point of the sources.
func (u *unit) lost(points int64) error {
	for _, s := range u.plan.Sources {
		if s.Direct {
			return nil // an octree's header may round
		}
	}
	if points != u.plan.Points {
		return fmt.Errorf("the tiles have %d points, the sources %d: files changed after they were planned; plan again", points, u.plan.Points)
	}
	return nil
}

func (u *unit) writeIDs(n int, id []uint32) error {
	body := make([]byte, 0, 4*len(id)+4)
	for _, v := range id {
		body = binary.LittleEndian.AppendUint32(body, v)
	}
	body = binary.LittleEndian.AppendUint32(body, tile.Sum(body))
	return whole.Write(u.ids(n), func(w io.Writer) error { _, err := w.Write(body); return err })
}

func (u *unit) readIDs(n int) ([]uint32, error) {
	body, err := os.ReadFile(u.ids(n))
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	if len(body)%4 != 0 || len(body) < 4 || tile.Sum(body[:len(body)-4]) != le.Uint32(body[len(body)-4:]) {
		return nil, fmt.Errorf("%s: damaged; remove stitch.json and stitch again", u.ids(n))
	}
	id := make([]uint32, len(body)/4-1)
	for i := range id {
		id[i] = le.Uint32(body[4*i:])
	}
	return id, nil
}

// finishDone tells that a tile is written with its final ids.
type finishDone struct {
	Unit    string  `json:"unit"`
	Tile    int     `json:"tile"`
	Plan    string  `json:"plan"`
	Stitch  string  `json:"stitch"` // inputs of the stitching
	File    string  `json:"file"`   // in out; "" if the tile has no points
	Points  int64   `json:"points"`
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

func (p *project) finishMark(n int) string { return p.path("out", fmt.Sprintf(".%d.json", n)) }

// finish writes tile n with its ids, unless that is done.
func (u *unit) finish(n int) (*finishDone, error) {
	t, err := u.tile(n)
	if err != nil {
		return nil, err
	}
	s := new(stitchDone)
	if !readJSON(u.path("stitch.json"), s) || s.Plan != u.sum {
		return nil, fmt.Errorf("tile %d: the tiles are not stitched; run: superpoint stitch %s", n, u.folder)
	}
	done := new(finishDone)
	if readJSON(u.finishMark(n), done) && done.Plan == u.sum && done.Stitch == s.Inputs && u.resultWhole(done) {
		return done, nil
	}
	start := time.Now()
	mark := new(tileDone)
	if !readJSON(u.tileMark(n), mark) || mark.Plan != u.sum {
		return nil, fmt.Errorf("tile %d (%s) is not done; run: superpoint tile -run %d %s", n, t.Name, n, u.folder)
	}
	done = &finishDone{Unit: "finish", Tile: n, Plan: u.sum, Stitch: s.Inputs, Points: mark.Points}
	if err := os.MkdirAll(u.path("out"), 0o755); err != nil {
		return nil, err
	}
	if mark.Points > 0 {
		if err = u.writeResult(t, mark, done); err != nil {
			return nil, fmt.Errorf("tile %d (%s): %w", n, t.Name, err)
		}
	}
	done.Seconds = math.Round(1000*time.Since(start).Seconds()) / 1000
	return done, writeJSON(u.finishMark(n), done)
}

func (u *unit) resultWhole(done *finishDone) bool {
	info, err := os.Stat(u.path("out", done.File))
	return done.Points == 0 || err == nil && info.Size() == done.Bytes
}

// writeResult puts the ids into the core's records and compresses them.
func (u *unit) writeResult(t *planned, mark *tileDone, done *finishDone) error {
	id, err := u.readIDs(t.Index)
	if err != nil {
		return err
	}
	l, err := tile.ReadLAS(u.tileLAS(t.Index))
	if err != nil {
		return fmt.Errorf("%w; remove it and run the tile again", err)
	}
	to, err := u.output(u.result(t))
	if err != nil {
		return err
	}
	err = to.File(func(packed string) error {
		raw := filepath.Join(filepath.Dir(packed), "raw.las")
		if err := u.relabel(l, raw, id, mark); err != nil {
			return err
		}
		err := pipeline(u.host.Context(), raw, u.plan.Layout.writer(packed, "all"))
		if err != nil && strings.Contains(err.Error(), packRefused) {
			return u.writeUnpacked(t, raw)
		}
		if err != nil {
			return err
		}
		return tile.CheckLAZ(packed, mark.Points)
	})
	done.File = t.Name
	if errors.Is(err, errElsewhere) {
		done.File, err = unpackedName(t.Name), nil
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(u.path("out", done.File))
	if err == nil {
		done.Bytes = info.Size()
	}
	return err
}

// writeUnpacked takes a tile as LAS.
func (u *unit) writeUnpacked(t *planned, raw string) error {
	name := unpackedName(t.Name)
	to, err := u.output(u.path("out", name))
	if err == nil {
		err = to.File(func(temporary string) error { return whole.Move(raw, temporary) })
	}
	if err != nil {
		return err
	}
	u.host.Log(filter.LogWarning, fmt.Sprintf("%s: %s; the result is %s", t.Name, cannotPack, name))
	return errElsewhere
}

func (u *unit) relabel(l *tile.LAS, path string, id []uint32, mark *tileDone) error {
	at, ok := l.Extra[u.plan.Outputs[0].Name]
	if !ok {
		return fmt.Errorf("%s has no dimension %s", l.Path, u.plan.Outputs[0].Name)
	}
	w, err := tile.NewWriter(path, l.Head)
	if err != nil {
		return err
	}
	defer w.Discard()
	var sum tile.RunningSum
	err = l.Each(func(i int, record []byte) error {
		sum.Add(record)
		piece := binary.LittleEndian.Uint32(record[at:])
		if piece == 0 || int(piece) > len(id) {
			return fmt.Errorf("%s: damaged: point %d is of piece %d of %d; remove it and run the tile again", l.Path, i, piece, len(id))
		}
		binary.LittleEndian.PutUint32(record[at:], id[piece-1])
		return w.Append(record)
	})
	if err != nil {
		return err
	}
	if uint32(sum) != mark.Sum {
		return fmt.Errorf("%s: damaged: the checksum is wrong; remove it and run the tile again", l.Path)
	}
	return w.Close()
}

// stitchAndFinish joins the tiles and writes all of them.
func (u *unit) stitchAndFinish() error {
	s, err := u.stitch()
	if err != nil {
		return err
	}
	for n := range u.plan.Tiles {
		if _, err := u.finish(n); err != nil {
			return err
		}
		u.host.Progress("write", float64(n+1)/float64(len(u.plan.Tiles)))
	}
	return json.NewEncoder(u.host.Stdout()).Encode(s)
}
