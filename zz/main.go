package main

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"syscall"
	"time"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
	"superpoint/testdata/las"
)

func cpu() float64 {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

func main() {
	threads := flag.Int("threads", 1, "")
	rounds := flag.Int("rounds", 1, "")
	knn := flag.Int("knn", 20, "")
	prof := flag.String("prof", "", "")
	flag.Parse()
	run := parallel.Run{Threads: *threads}
	first := true
	for _, f := range flag.Args() {
		p, err := las.ReadFile(f)
		if err != nil {
			panic(err)
		}
		c, err := neighbor.New(p.X, p.Y, p.Z, run)
		if err != nil {
			panic(err)
		}
		t0 := cpu()
		l, err := c.Nearest(*knn, run)
		if err != nil {
			panic(err)
		}
		near := cpu() - t0
		if *prof != "" && first {
			w, _ := os.Create(*prof)
			pprof.StartCPUProfile(w)
		}
		first = false
		var best, bestWall, plain = 1e9, 1e9, 1e9
		var g *neighbor.Graph
		var pts int
		for range *rounds {
			t0 := cpu()
			if _, _, err = neighbor.Join(c, l, neighbor.Joins{Nearest: 5}, run); err != nil {
				panic(err)
			}
			plain = min(plain, cpu()-t0)
			t0 = cpu()
			w0 := time.Now()
			g, pts, err = neighbor.Join(c, l, neighbor.Joins{Nearest: 5, Around: 20}, run)
			if err != nil {
				panic(err)
			}
			best = min(best, cpu()-t0)
			bestWall = min(bestWall, time.Since(w0).Seconds())
		}
		h := sha256.New()
		binary.Write(h, binary.LittleEndian, g.Start)
		binary.Write(h, binary.LittleEndian, g.Head)
		n := float64(c.Len())
		fmt.Printf("%-40s %8d pts %7d joined %9d edges %x  near %.0f knn %.0f graph %.0f ns/pt (wall %.0f)\n", filepath.Base(f), c.Len(), pts, g.Edges(), h.Sum(nil)[:8], near/n*1e9, plain/n*1e9, best/n*1e9, bestWall/n*1e9)
	}
	pprof.StopCPUProfile()
}
