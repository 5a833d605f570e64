// Package train learns models: it samples subgraphs of labelled clouds, embeds
// them, partitions the embedding, weighs the transitions by the cross-partition
// and descends the graph-structured contrastive loss (Landrieu and Boussaha
// 2019, sections 2 and appendix "Models configuration"). The optimisation is a
// gorgonia graph of two operations with gradients of their own: the embedder
// (package backprop) and the loss (package contrastive).
//
// Every random choice is derived from the seed and the step, sums do not depend
// on threads, and a checkpoint holds the whole state; so one seed gives the same
// weights on one machine for any number of threads and however often training
// was interrupted. Lengths are in metres.
package train
