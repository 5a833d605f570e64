// Package classtrain trains the classifier of superpoints of package classes, in
// gorgonia's own operations and with its Adam: the graph of superpoints is small
// enough for them. A label may stand for several classes ("vegetation or
// something else"): the loss is then the logarithm of their probabilities' sum.
// Networks of a first pass learn each without a part of the files, and tell the second
// of that part. Results depend on the samples, the settings and the seed only.
package classtrain
