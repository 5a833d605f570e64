// Classes compares the classes of superpoints with a forest on points and with
// ground filters, on labelled clouds: the same points, the same labels.
//
//	build/pdal superpoint segment tile.laz work/tile.las
//	go run ./filter/compare/classes -rules embed/train/recipes/classes-aerial.yaml work/*.las
//
// Files have superpoints and embeddings, in uncompressed LAS. With -forest, the
// folder of predictions of forest.py; with -ground NAME=FOLDER, LAS files of the same
// names whose ground to measure; with -curve, accuracy over labels. With
// -cells, a table that keeps what was measured, and -page and -walk, whose tables and
// numbers are made of it. measure.sh does all of it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// settings are the flags.
type settings struct {
	rules, base, forest, set string
	grounds                  []string
	curve                    bool
}

func main() {
	var s settings
	flag.StringVar(&s.rules, "rules", "embed/train/recipes/classes-aerial.yaml", "what labels mean")
	flag.StringVar(&s.base, "classes", "aerial", "classifier: built-in or a file")
	flag.StringVar(&s.forest, "forest", "", "folder of forest.py")
	flag.Func("ground", "NAME=FOLDER of LAS files of the same names whose ground to measure", func(v string) error {
		if name, folder, ok := strings.Cut(v, "="); !ok || name == "" || folder == "" {
			return errors.New("give NAME=FOLDER")
		}
		s.grounds = append(s.grounds, v)
		return nil
	})
	flag.StringVar(&s.set, "set", "val", "set that the files are of: val or test")
	flag.BoolVar(&s.curve, "curve", false, "accuracy over labels, chosen by the tool and by chance")
	keep := flag.String("cells", "", "table to put the measures into, CSV")
	page := flag.String("page", "", "page whose tables are made anew from the cells")
	walk := flag.String("walk", "", "page whose numbers are made anew from the cells")
	flag.Parse()
	if err := run(&s, *keep, *page, *walk, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(s *settings, keep, page, walk string, files []string) error {
	measured := cells{}
	for _, path := range files {
		found, err := s.measure(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		measured.replace(found)
	}
	for _, k := range measured.sorted() {
		fmt.Printf("%s,%s,%s,%s,%.4f\n", k.set, k.file, k.method, k.measure, measured[k])
	}
	if keep == "" {
		return nil
	}
	all, err := readCells(keep)
	if err != nil {
		return err
	}
	all.replace(measured)
	if err := all.write(keep); err != nil {
		return err
	}
	if all, err = readCells(keep); err != nil { // as they are kept, to six places
		return err
	}
	if page != "" {
		if err := update(page, all.page); err != nil {
			return err
		}
	}
	if walk != "" {
		return update(walk, all.walk)
	}
	return nil
}

// measure measures all methods on a file.
func (s *settings) measure(path string) (cells, error) {
	c, err := read(path, s.rules, s.base)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if s.curve {
		return c.curve(s.set, name)
	}
	ours, err := c.classify()
	if err != nil {
		return nil, err
	}
	all := c.score(ours).cells(s.set, name, own)
	if s.forest != "" {
		guess, err := readForest(filepath.Join(s.forest, name+".npy"), len(ours))
		beside, err := s.beside(c, guess, err, name, rival)
		if err != nil {
			return nil, err
		}
		all.replace(beside)
	}
	for _, other := range s.grounds {
		method, folder, _ := strings.Cut(other, "=")
		guess, err := readClasses(filepath.Join(folder, name+".las"))
		beside, err := s.beside(c, guess, err, name, method)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(beside, func(k key, _ float64) bool { return k.measure != iouOf+"ground" })
		all.replace(beside)
	}
	return all, nil
}

// beside returns another method's measures, if it has classified the file.
func (s *settings) beside(c *cloud, guess []int, err error, name, method string) (cells, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(guess) != len(c.meaning) {
		return nil, fmt.Errorf("%s has %d points, the file %d", method, len(guess), len(c.meaning))
	}
	return c.score(guess).cells(s.set, name, method), nil
}
