// SPDX-License-Identifier: BSD-3-Clause

// Package classes classifies superpoints. The features of a superpoint are its
// shape (Demantké et al. 2011, doi:10.5194/isprsarchives-XXXVIII-5-W12-97-2011),
// its heights above the ground nearby, the voids around it, its embedding and
// returns, each as mean and deviation over its points; small networks pass
// messages over the graph of superpoints (Gilmer et al. 2017, arXiv:1704.01212; with the mean over neighbours
// of GraphSAGE, Hamilton et al. 2017, arXiv:1706.02216), as Landrieu and
// Simonovsky 2018 (doi:10.1109/CVPR.2018.00479) do with a larger one.
//
// What the network says is corrected by rules that follow from physics: see rule.
//
// Lengths are in metres. Features of dimensions that a cloud lacks are marked as
// absent and set to the mean. Results do not depend on the number of threads.
// Training is in embed/train/classtrain, which this package does not import.
package classes
