"""What torch-graph-components calls of torch-scatter and torch-geometric, in torch alone."""

import importlib.util
import sys
import types

import torch


def scatter_sum(source, index, dim=0, dim_size=None):
    assert dim == 0
    size = dim_size if dim_size is not None else int(index.max()) + 1
    return source.new_zeros((size, *source.shape[1:])).index_add_(0, index, source)


def extreme(kind):
    """scatter_min or scatter_max of vectors: values, and the first place of each."""
    def scatter(source, index, dim=0, dim_size=None):
        assert source.dim() == 1
        size = dim_size if dim_size is not None else int(index.max()) + 1
        found = source.new_zeros(size).scatter_reduce_(0, index, source, kind, include_self=False)
        place = torch.arange(len(source), device=source.device)
        hit = source == found[index]
        first = place.new_full((size,), len(source))
        return found, first.scatter_reduce_(0, index[hit], place[hit], "amin")
    return scatter


def remove_self_loops(edges, edge_attr=None):
    keep = edges[0] != edges[1]
    return edges[:, keep], edge_attr if edge_attr is None else edge_attr[keep]


def coalesce(edges, edge_attr=None, reduce="add"):
    """Sorts edges and sums the weights of those that are there more than once."""
    assert reduce == "add"
    size = int(edges.max()) + 1 if edges.numel() else 1
    key, inverse = torch.unique(edges[0] * size + edges[1], return_inverse=True)
    edges = torch.stack((torch.div(key, size, rounding_mode="floor"), key % size))
    return edges if edge_attr is None else (edges, scatter_sum(edge_attr, inverse, dim_size=len(key)))


def consecutive_cluster(number):
    """Numbers without gaps, and a place where each is."""
    _, inverse = torch.unique(number, return_inverse=True)
    return inverse, extreme("amin")(torch.arange(len(number), device=number.device), inverse)[0]


def module(name, **members):
    made = types.ModuleType(name)
    vars(made).update(members)
    sys.modules[name] = made
    return made


def install():
    """Puts stand-ins where a package is missing and returns the names of those."""
    missing = [name for name in ("torch_scatter", "torch_geometric") if importlib.util.find_spec(name) is None]
    if "torch_scatter" in missing:
        module("torch_scatter", scatter_sum=scatter_sum, scatter_min=extreme("amin"), scatter_max=extreme("amax"))
    if "torch_geometric" in missing:
        cluster = module("torch_geometric.nn.pool.consecutive", consecutive_cluster=consecutive_cluster)
        pool = module("torch_geometric.nn.pool", consecutive=cluster)
        nn = module("torch_geometric.nn", pool=pool)
        utils = module("torch_geometric.utils", remove_self_loops=remove_self_loops, coalesce=coalesce)
        module("torch_geometric", nn=nn, utils=utils)
    return missing
