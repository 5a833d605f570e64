package main

import (
	"os"
	"testing"
)

// The picture is that of the packages as they are.
func TestPicture(t *testing.T) {
	rooms, err := read("../../..")
	if err != nil {
		t.Fatal(err)
	}
	chosen := choose(rooms, []string{"partition/device"})
	if len(chosen) < 10 || len(chosen["partition/neighbor"].kernels) != 1 {
		t.Errorf("%d packages, the search has the kernels %v", len(chosen), chosen["partition/neighbor"].kernels)
	}
	drawn, err := os.ReadFile("../imports.svg")
	if err != nil {
		t.Fatal(err)
	}
	if string(drawn) != picture(chosen) {
		t.Error("embed/cuda/imports.svg is another one; run go run ./embed/cuda/imports >embed/cuda/imports.svg")
	}
}
