// Command evidence compares superpoint with other methods and writes RESULTS.md:
//
//	go run ./pipelines/evidence                    validation, second validation and simulated clouds, and the page
//	go run ./pipelines/evidence -sets val,simulated
//	go run ./pipelines/evidence -quick             N/100 and N/400 of val and simulated clouds, to report/evidence/quick
//	go run ./pipelines/evidence -test              the test set, once
//	go run ./pipelines/evidence -page              the page alone, from the committed cells
//	go run ./pipelines/evidence keep NAME RESULTS… results.csv of compare → cells/NAME.csv
//	go run ./pipelines/evidence sum RESULTS…       one table of all files together
//	go run ./pipelines/evidence classes …          measures classes of superpoints; see -h
//	go run ./pipelines/evidence plain FOLDER LAS…  copies with classes in place of labels
//
// It needs `make plugin`. superpoint is measured for every build; rivals are measured only if their cells
// are missing, or with -renew. An interrupted run continues.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// home is the folder of the page, from the top of the checkout.
const home = "pipelines/evidence"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "evidence:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 1 {
		if command := commands()[args[0]]; command != nil {
			return command(args[1:])
		}
	}
	flags := flag.NewFlagSet("evidence", flag.ContinueOnError)
	j := job{page: home, sizes: "50,100,200,400"}
	flags.StringVar(&j.pdal, "pdal", "build/pdal", "launcher of pdal with the plugin")
	flags.StringVar(&j.data, "data", "../shared/data", "folder with val/, test/ and test2/")
	flags.StringVar(&j.out, "out", "report/evidence", "folder for what is measured")
	flags.IntVar(&j.threads, "threads", 0, "threads; 0 = all")
	flags.BoolVar(&j.renew, "renew", false, "measure rivals again, too")
	flags.StringVar(&j.pattern, "clouds", "", "pattern of clouds to measure, such as isprs_*; default all")
	list := flags.String("sets", "", "sets to measure; default val,second,simulated")
	quick := flags.Bool("quick", false, "two sizes of val and simulated; a page beside what was measured")
	test := flags.Bool("test", false, "measure the test set; refused if it has been read")
	again := flags.Bool("again", false, "with -test: read it once more, which the page says")
	only := flags.Bool("page", false, "write the page, measure nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	j.scans = j.out
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("argument %q; give flags alone, or keep, sum or classes", flags.Arg(0))
	case *only:
		return errors.Join(writePage(j.page), writeReadme(j.page))
	case *test:
		j.sets = []string{"test", "fresh"}
		build, err := j.build()
		if err != nil {
			return err
		}
		if err := mayRead(j.page, j.sets, build, *again); err != nil {
			return err
		}
	case *quick:
		j.sets, j.sizes = []string{"val", "simulated"}, "100,400"
		j.out = filepath.Join(j.out, "quick")
		if err := j.aside(); err != nil {
			return err
		}
	default:
		j.sets = []string{"val", "second", "simulated"}
	}
	if *list != "" {
		j.sets = strings.Split(*list, ",")
	}
	if !*test && slices.ContainsFunc(j.sets, func(name string) bool { s := setNamed(name); return s != nil && s.once }) {
		return errors.New("test sets are measured by -test alone")
	}
	if err := j.measure(); err != nil {
		return err
	}
	fmt.Println(filepath.Join(j.page, page))
	if *quick {
		return writePage(j.page)
	}
	return errors.Join(writePage(j.page), writeReadme(j.page))
}

// commands returns the commands that do not measure superpoints.
func commands() map[string]func(args []string) error {
	return map[string]func(args []string) error{
		"keep": func(args []string) error {
			return keep(filepath.Join(home, "cells", args[0]+".csv"), args[1:])
		},
		"sum": func(args []string) error {
			text, err := sumTable(args)
			if err == nil {
				_, err = fmt.Print(text)
			}
			return err
		},
		"classes": classesCommand,
		"plain":   plainCommand,
	}
}

// mayRead fails if another build has read a test set, or if the checkout has uncommitted changes.
func mayRead(folder string, sets []string, build string, again bool) error {
	readings, err := readReadings(folder)
	if err != nil {
		return err
	}
	for _, r := range readings {
		if slices.Contains(sets, r.set) && r.build == build {
			return nil // continues
		}
		if slices.Contains(sets, r.set) && !again {
			return fmt.Errorf("set %s was read on %s by %s; -again reads it once more, and the page will say so", r.set, r.date,
				r.commit)
		}
	}
	state, err := commit()
	if err == nil && strings.HasSuffix(state, "-dirty") {
		err = errors.New("the checkout has changes that are not committed; commit them, for the page names the commit")
	}
	return err
}

// aside copies the committed cells of the wanted sizes beside what is measured.
func (j *job) aside() error {
	from, sizes := j.page, strings.Split(j.sizes, ",")
	j.page = filepath.Join(j.out, "page")
	if err := os.MkdirAll(filepath.Join(j.page, "cells"), 0o755); err != nil {
		return err
	}
	for _, name := range j.sets {
		all, err := load(from, name)
		if err != nil {
			return err
		}
		all = with(all, func(c *cell) bool { return slices.Contains(sizes, fmt.Sprint(c.Value)) })
		if err := writeCells(filepath.Join(j.page, "cells", name+".csv"), all); err != nil {
			return err
		}
	}
	return nil
}
