"""The merge of EZ-SP (torch-graph-components) on our partition problem: rival.py FOLDER

FOLDER holds partition.safetensors, which cuda-check wrote. Its package asks for
torch-scatter and torch-geometric; where they are missing, stand_in.py gives it the
few functions that it calls, in torch's own operations, and the table says so.
"""

import sys
from pathlib import Path

import torch

import stand_in
import tensors


def energy(values, edges, contrast, strength, component):
    """The energy of a partition: squares from the means, and the weights of cut edges."""
    values = values.double()
    count = int(component.max()) + 1
    sums = torch.zeros(count, values.shape[1], dtype=torch.float64, device=values.device)
    sums.index_add_(0, component, values)
    sizes = torch.bincount(component, minlength=count).clamp(min=1).double()
    means = sums / sizes[:, None]
    cut = component[edges[0]] != component[edges[1]]
    return ((values - means[component]) ** 2).sum().item() + strength * contrast.double()[cut].sum().item()


def main(folder):
    borrowed = stand_in.install()
    from torch_graph_components import merge_components_by_contour_prior as merge

    where = tensors.device()
    case, texts = tensors.read(folder / "partition.safetensors")
    values, contrast = case["values"].to(where), case["contrast"].to(where)
    edges = torch.stack((case["from"], case["to"])).long().to(where)
    strength, smallest = float(texts["lambda"]), int(texts["min_size"])
    ones = torch.ones(len(values), device=where)
    found = []

    def solve():
        found[:] = [merge(values, ones, edges, contrast, strength, smallest)[0]]
    seconds = tensors.median_seconds(solve, where)
    print(f"rival: torch {torch.__version__} on {where}, {len(values)} points, {edges.shape[1]} edges; "
          f"{'torch-scatter and torch-geometric' if not borrowed else 'stand-ins for ' + ' and '.join(borrowed)}")
    print(f"rival: {'merge, median of 5':<28} {'ms':>10} {'energy':>14} {'superpoints':>12}")
    component = found[0]
    rows = [(name, *map(float, text.split())) for name, text in sorted(texts.items()) if "PU" in name]
    rows.append(("EZ-SP's merge", seconds, energy(values, edges, contrast, strength, component),
                 int(component.max()) + 1))
    for name, taken, *rest in rows:
        columns = f" {rest[0]:14.4f} {int(rest[1]):12d}" if rest else ""
        print(f"rival: {name:<28} {1e3 * taken:10.3f}{columns}")
    sane = component.shape == ones.shape and int(component.min()) == 0
    return 0 if sane else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
