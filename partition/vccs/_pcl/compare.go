// Command compare prints the metrics of vccs, vccs over points, lin and the
// Point Cloud Library's VCCS on labelled LAS files at equal seed resolutions and
// voxel sizes, as a tab-separated table. Not part of the build; see README.md.
//
//	go run partition/vccs/_pcl/compare.go [-pcl build/pcl_vccs] [-sizes 50,100,200,400] FILE.las...
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"superpoint/partition/arrays"
	"superpoint/partition/lin"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
	"superpoint/partition/supervoxel"
	"superpoint/partition/vccs"
	"superpoint/testdata/las"
)

var (
	program   = flag.String("pcl", "", "the built pcl_vccs; without it only our methods run")
	authors   = flag.String("lin", "", "a program around Lin's own code, called with CLOUD.txt RESOLUTION COUNT IDS.txt")
	sizes     = flag.String("sizes", "50,100,200,400", "mean points a segment")
	methods   = flag.String("methods", "vccs,vccs-knn,lin", "our methods")
	threads   = flag.Int("threads", 1, "threads")
	ratio     = flag.Float64("voxel", 0, "voxel size as a share of the seed resolution; 0: the method's own choice")
	instances = flag.Bool("instances", false, "objects are those of PointSourceId")
	shift     = flag.Bool("gradient", false, "move seeds to the lowest gradient")
)

type scene struct {
	name  string
	cloud *neighbor.Cloud
	lists *neighbor.Lists
	graph *neighbor.Graph
	truth metrics.Truth
}

func main() {
	flag.Parse()
	fmt.Println("file\tmethod\tsize\tseed\tsegments\tOOA\tUE\tBRcoded\tBRprinted\tBP\tpieces\tseconds\tpoints/s")
	for _, path := range flag.Args() {
		s, err := load(path)
		if err != nil {
			log.Fatal(err)
		}
		for _, text := range strings.Split(*sizes, ",") {
			size, err := strconv.ParseFloat(text, 64)
			if err != nil {
				log.Fatal(err)
			}
			for _, method := range strings.Split(*methods, ",") {
				s.ours(method, size)
			}
		}
	}
}

// processor returns the processor time that this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func load(path string) (*scene, error) {
	p, err := las.ReadFile(path)
	if err != nil {
		return nil, err
	}
	run := parallel.Run{}
	s := &scene{name: strings.TrimSuffix(filepath.Base(path), ".las")}
	if s.cloud, err = neighbor.New(p.X, p.Y, p.Z, run); err != nil {
		return nil, err
	}
	if s.lists, err = s.cloud.Nearest(20, run); err != nil {
		return nil, err
	}
	if s.graph, err = neighbor.Adjacency(s.lists, 5, run); err != nil {
		return nil, err
	}
	s.truth = labels(p, s.cloud.Order, *instances)
	return s, nil
}

// labels merges vegetation (3, 4, 5) and ignores virtual points (66). Where
// instances is set, objects are those of PointSourceId; in aerial surveys that is
// the flight line.
func labels(p *las.Points, order []uint32, instances bool) metrics.Truth {
	t := metrics.Truth{Class: make([]int32, len(order))}
	if instances {
		t.Object = make([]int32, len(order))
	}
	for i, j := range order {
		c := int32(p.Classification[j])
		switch c {
		case 3, 4:
			c = 5
		case 66:
			c = -1
		}
		t.Class[i] = c
		if instances {
			t.Object[i] = int32(p.PointSourceID[j])
		}
	}
	return t
}

func (s *scene) ours(method string, size float64) {
	run := parallel.Run{Threads: *threads}
	var seg *supervoxel.Segmentation
	var err error
	begin := processor()
	switch method {
	case "lin":
		o := lin.Defaults()
		o.Target = size
		seg, err = lin.Segment(run, lin.Input{Cloud: s.cloud, Neighbors: s.lists}, o)
	default:
		o := vccs.Defaults()
		o.Target, o.Points, o.Gradient = size, method == "vccs-knn", *shift
		if *ratio > 0 {
			o.VoxelResolution = *ratio * supervoxel.Spacing(s.cloud, s.lists, 4) * 5
		}
		seg, err = vccs.Segment(run, vccs.Input{Cloud: s.cloud, Neighbors: s.lists}, o)
		if err == nil { // again without the search, which is what is timed
			o.Target, o.SeedResolution = 0, seg.Resolution
			begin = processor()
			seg, err = vccs.Segment(run, vccs.Input{Cloud: s.cloud, Neighbors: s.lists}, o)
		}
		if err == nil && *program != "" && method == "vccs" {
			took := processor() - begin
			s.print(method, size, seg, took)
			voxel := o.VoxelResolution
			if voxel == 0 {
				voxel = min(1.5*supervoxel.Spacing(s.cloud, s.lists, 4), seg.Resolution/4)
			}
			s.pcl(size, voxel, seg)
			return
		}
	}
	if err != nil {
		log.Fatalf("%s %s: %v", s.name, method, err)
	}
	s.print(method, size, seg, processor()-begin)
	if method == "lin" && *authors != "" {
		s.lin(size, seg)
	}
}

// lin runs the authors' code at our resolution and count.
func (s *scene) lin(size float64, ours *supervoxel.Segmentation) {
	dir, err := os.MkdirTemp("", "lin")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	cloud, ids := filepath.Join(dir, "cloud.txt"), filepath.Join(dir, "ids")
	s.write(cloud)
	program := exec.Command(*authors, cloud, fmt.Sprint(ours.Resolution), fmt.Sprint(ours.Count), ids)
	if err := program.Run(); err != nil {
		log.Fatal(err)
	}
	took := program.ProcessState.UserTime()
	seg := s.read(ids, ours.Resolution)
	seg.Resolution = ours.Resolution
	s.print("authors", size, seg, took)
}

// pcl runs the library at seed resolutions around ours, so that curves can be
// compared at equal counts.
func (s *scene) pcl(size, voxel float64, ours *supervoxel.Segmentation) {
	dir, err := os.MkdirTemp("", "pcl")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	cloud := filepath.Join(dir, "cloud.txt")
	s.write(cloud)
	seeds := make([]string, 0, 3)
	for _, f := range []float64{0.94, 1, 1.06} {
		seeds = append(seeds, strconv.FormatFloat(ours.Resolution*f, 'g', 6, 64))
	}
	out, err := exec.Command(*program, cloud, fmt.Sprint(voxel), strings.Join(seeds, ","),
		filepath.Join(dir, "ids")).Output()
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		f := strings.Fields(line)
		seconds, _ := strconv.ParseFloat(f[2], 64)
		resolution, _ := strconv.ParseFloat(f[0], 64)
		seg := s.read(filepath.Join(dir, "ids."+f[0]), resolution)
		seg.Resolution = resolution
		s.print("pcl", size, seg, time.Duration(seconds*1e9))
	}
}

func (s *scene) write(path string) {
	f, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for i := range s.cloud.Len() {
		p := s.cloud.Position(uint32(i))
		fmt.Fprintf(w, "%.4f %.4f %.4f\n", p.X, p.Y, p.Z)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}

// read takes the library's labels; unlabelled points join what reaches them
// first, as in our own method at that seed resolution.
func (s *scene) read(path string, resolution float64) *supervoxel.Segmentation {
	text, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	fields := strings.Fields(string(text))
	component := make([]uint32, len(fields))
	bound, unlabelled := 0, 0
	for i, f := range fields {
		id, err := strconv.Atoi(f)
		if err != nil {
			log.Fatal(err)
		}
		component[i] = uint32(id - 1) // 0 becomes None
		bound = max(bound, id)
		if id == 0 {
			unlabelled++
		}
	}
	count := supervoxel.Fill(component, bound, s.cloud, s.lists, 1.8*resolution)
	count = arrays.Number(component, count)
	if unlabelled > 0 {
		fmt.Printf("# %d points unlabelled\n", unlabelled)
	}
	return &supervoxel.Segmentation{Component: component, Count: count}
}

func (s *scene) print(method string, size float64, seg *supervoxel.Segmentation, took time.Duration) {
	r, err := metrics.Evaluate(parallel.Run{}, s.graph, s.truth, seg.Component, seg.Count)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\t%s\t%g\t%.4g\t%d\t%.2f\t%.2f\t%.1f\t%.1f\t%.1f\t%d\t%.3f\t%.0fk\n", s.name, method, size,
		seg.Resolution, seg.Count,
		100*r.OOA, 100*r.UndersegmentationError, 100*r.BRAsCoded, 100*r.BRAsPrinted, 100*r.BP, r.Counts.Pieces,
		took.Seconds(), float64(len(seg.Component))/took.Seconds()/1000)
}
