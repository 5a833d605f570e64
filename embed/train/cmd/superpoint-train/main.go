// Superpoint-train runs the training commands on uncompressed LAS files, where
// no PDAL kernel is built.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"superpoint/embed/train"
	"superpoint/embed/train/lasfiles"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := train.Run(lasfiles.New(ctx), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
