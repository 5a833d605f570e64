"""The settings of cp and ez: features of points, edges, and weights of edges.

A field of Setting is one thing that may be done otherwise, for example as in SPG (Landrieu and Simonovsky 2018).
SETTINGS changes one thing at a time around plain; fine has two changes that gained, and fine_… one more.
"""
from dataclasses import dataclass, replace

import numpy as np
import pgeof
from scipy.spatial import cKDTree


@dataclass(frozen=True)
class Setting:
    graph: int = 5         # nearest neighbours that a point has edges to
    around: int = 20       # nearest neighbours that its features are of
    metre: float = 0       # positions are features too, times this per metre
    spacing: float = 0     # or times this per typical spacing: the median distance to the 5th neighbour
    smallest: float = 10   # points of the smallest segment; below 1, times the wanted points a piece
    damped: bool = False   # an edge of length d weighs 1 / (1 + d / mean d), as SPG has it, not 1
    vertical: float = 1    # verticality times this; 2 in SPG

    def least(self, size):
        """Points of the smallest segment where pieces have that many."""
        return self.smallest if self.smallest >= 1 else max(1, round(self.smallest * size))


FINE = Setting(around=10, smallest=0.04)
SETTINGS = {
    "plain": Setting(),
    "graph10": Setting(graph=10),
    "metre": Setting(metre=0.2),
    "around10": Setting(around=10),
    "around45": Setting(around=45),
    "spacing02": Setting(spacing=0.02),
    "spacing10": Setting(spacing=0.1),
    "least1": Setting(smallest=1),
    "share4": Setting(smallest=0.04),
    "damped": Setting(damped=True),
    "vertical2": Setting(vertical=2),
    "fine": FINE,
    "fine_spacing02": replace(FINE, spacing=0.02),
    "fine_vertical2": replace(FINE, vertical=2),
}


class Cloud:
    """Points about their mean, and their nearest neighbours, themselves first."""

    def __init__(self, xyz):
        self.xyz = xyz - xyz.mean(0)
        most = max(max(s.graph, s.around) for s in SETTINGS.values())
        self.distances, self.nearest = cKDTree(self.xyz).query(self.xyz, most + 1)

    def graph(self, k):
        """Edges of the k-nn graph, each pair once."""
        pairs = np.stack([np.repeat(np.arange(len(self.xyz)), k), self.nearest[:, 1:k + 1].ravel()], 1)
        pairs.sort(1)
        return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)

    def features(self, s):
        """Linearity, planarity, scattering and verticality (Guinard and Landrieu 2017), and positions if wanted."""
        rows = np.ascontiguousarray(self.nearest[:, :s.around + 1], dtype=np.uint32)
        start = np.arange(0, rows.size + 1, rows.shape[1], dtype=np.uint32)
        values = pgeof.compute_features(self.xyz.astype(np.float32), rows.ravel(), start)[:, :4]
        values[:, 3] *= s.vertical
        scale = s.metre + s.spacing / np.median(self.distances[:, 5])
        columns = [values, scale * self.xyz] if scale > 0 else [values]
        return np.ascontiguousarray(np.hstack(columns), dtype=np.float32)

    def problem(self, s):
        """Features, edges and weights of edges."""
        edges = self.graph(s.graph)
        return self.features(s), edges, self.weights(s, edges)

    def weights(self, s, edges):
        """Of edges: 1, or less the longer they are."""
        if not s.damped:
            return np.ones(len(edges), dtype=np.float32)
        lengths = np.linalg.norm(self.xyz[edges[:, 0]] - self.xyz[edges[:, 1]], axis=1)
        return (1 / (1 + lengths / lengths.mean())).astype(np.float32)
