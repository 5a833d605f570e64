// Classes compares the classes of superpoints with a forest on points and with
// PDAL's ground filters, on labelled clouds: the same points, the same labels.
//
//	build/pdal superpoint segment tile.laz work/tile.las
//	go run ./filter/compare/classes -rules embed/train/recipes/classes-aerial.yaml work/*.las
//
// Files have superpoints and embeddings, in uncompressed LAS. With -forest, the
// folder of predictions of forest.py; with -curve, accuracy over labels.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	rules := flag.String("rules", "embed/train/recipes/classes-aerial.yaml", "what labels mean")
	base := flag.String("classes", "aerial", "classifier: built-in or a file")
	forest := flag.String("forest", "", "folder of forest.py")
	other := flag.String("other", "", "folder of LAS files of the same names whose Classification to measure")
	curve := flag.Bool("curve", false, "accuracy over labels, chosen by the tool and by chance")
	flag.Parse()
	if err := run(*rules, *base, *forest, *other, *curve, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(rules, base, forest, other string, curve bool, files []string) error {
	for _, path := range files {
		c, err := read(path, rules, base)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if curve {
			if err := c.curve(name); err != nil {
				return err
			}
			continue
		}
		ours, err := c.classify()
		if err != nil {
			return err
		}
		fmt.Println(c.score(ours).line(name, "superpoints"))
		if forest != "" {
			guess, err := readForest(filepath.Join(forest, name+".npy"), len(ours))
			if err == nil {
				fmt.Println(c.score(guess).line(name, "forest"))
			} else if !os.IsNotExist(err) {
				return err
			}
		}
		if other != "" {
			guess, err := readClasses(filepath.Join(other, name+".las"))
			if err != nil {
				return err
			}
			fmt.Println(c.score(guess).line(name, "other"))
		}
	}
	return nil
}
