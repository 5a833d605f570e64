package local

// Of the steps on the points. They are the same for every cloud, or what a point
// becomes would depend on points far away.
const (
	rounds     = 2    // of coarsening on the points
	cap0       = 16   // points of a component that they leave, at most
	finePasses = 4    // of moves on the points
	few        = 4096 // points, at most, that are given to other solvers as well
)

// Of the joint step.
const (
	halving = 1.6   // vertices of a level per vertex of the next coarser one, at least
	cutting = 16    // vertices of the joint step per vertex of the finest level on which components are cut
	cheap   = 5000  // or vertices of it, where cutting takes no time to speak of
	passes  = 8     // of moves on a level, at most
	calm    = 20000 // vertices, at most, of a graph where only pairs merge

	// the part of the components that a round must take away for another to be worth
	// it, where there are more than a few
	tail = 1. / 12
)
