"""Rivals as their authors publish them: labels at a strength, from features on a graph with weights."""
import types

import numpy as np


def cut_pursuit(features, edges, weights, threads, strength, smallest):
    """Parallel cut pursuit (Raguet and Landrieu 2019), package pycut-pursuit."""
    from pycut_pursuit.cp_d0_dist import cp_d0_dist

    n = len(features)
    order = np.argsort(edges[:, 0], kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(edges[:, 0], minlength=n))]).astype(np.uint32)
    labels = cp_d0_dist(
        features.shape[1], np.asfortranarray(features.T), first, edges[order, 1].astype(np.uint32),
        edge_weights=np.float32(strength) * weights[order], min_comp_weight=smallest, cp_it_max=10, cp_dif_tol=1e-3,
        verbose=False, max_num_threads=threads, compute_Time=False)[0]
    return labels.astype(np.uint32)


def merge(features, edges, weights, threads, strength, smallest):
    """The greedy merge of EZ-SP (Geist, Landrieu and Robert 2026), package torch-graph-components."""
    import torch

    torch.set_num_threads(threads)
    stand_in_for_scatter(torch)
    from torch_graph_components import merge_components_by_contour_prior

    n = len(features)
    labels = merge_components_by_contour_prior(
        torch.from_numpy(features), torch.ones(n), torch.from_numpy(edges.T.copy()),
        torch.from_numpy(weights), float(strength), smallest)[0]
    return labels.numpy().astype(np.uint32)


def stand_in_for_scatter(torch):
    """The four functions of torch-scatter that the merge calls, by torch's own operations: PyPI has only its source."""
    import importlib.machinery
    import sys

    try:
        import torch_scatter  # noqa: F401
        return
    except ImportError:
        pass

    def size_of(index, dim_size):
        return int(index.max()) + 1 if dim_size is None else dim_size

    def scatter_sum(values, index, dim=0, dim_size=None):
        out = torch.zeros((size_of(index, dim_size),) + values.shape[1:], dtype=values.dtype)
        return out.index_add_(0, index, values)

    def extreme(values, index, size, how):
        out = torch.zeros(size, dtype=values.dtype).scatter_reduce_(0, index, values, how, include_self=False)
        where = torch.full((size,), len(values), dtype=torch.long)
        hit = (values == out[index]).nonzero().view(-1)
        return out, where.scatter_reduce_(0, index[hit], hit, "amin", include_self=False)

    module = types.ModuleType("torch_scatter")
    module.__spec__ = importlib.machinery.ModuleSpec("torch_scatter", None)
    module.scatter_sum = scatter_sum
    module.scatter_min = lambda v, i, dim=0, dim_size=None: extreme(v, i, size_of(i, dim_size), "amin")
    module.scatter_max = lambda v, i, dim=0, dim_size=None: extreme(v, i, size_of(i, dim_size), "amax")
    sys.modules["torch_scatter"] = module
