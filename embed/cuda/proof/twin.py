"""Compares the network in PyTorch's operations with ours: twin.py FOLDER

FOLDER has model.safetensors and network.safetensors, which cuda-check wrote.
Compares embeddings, of which ours are by the integer network, times the forward pass on
the GPU, and fails if they differ by more than the quantization explains.
"""

import re
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

import tensors

CHUNK = 1 << 17  # points at once: 0.7 GB of the widest layer
LIMIT = 0.02  # mean distance of embeddings, which have length 1


class Network:
    """The Local Point Embedder as its card and the names of its tensors describe it."""

    def __init__(self, weights, card, kind, where):
        self.weights = {name: value.to(where, kind) for name, value in weights.items()}
        self.epsilon = float(re.search(r"norm_epsilon: (\S+)", card).group(1))
        inputs = re.search(r"point_channels: \[(.*?)\]", card, re.S).group(1)
        names = [name.strip().strip('"') for name in inputs.split(",")]
        self.omega = [(names.index(name), at) for at, name in
                      enumerate(("omega_xx", "omega_xy", "omega_yx", "omega_yy")) if name in names]

    def layers(self, part, x):
        number = 0
        while f"{part}.{number}.weight" in self.weights:
            def w(name, layer=f"{part}.{number}."):
                return self.weights.get(layer + name)
            x = F.linear(x, w("weight"), w("bias"))
            if w("gamma") is not None:
                flat = F.batch_norm(x.flatten(0, -2), w("mean"), w("variance"), w("gamma"), w("beta"), eps=self.epsilon)
                x = F.relu(flat.view(x.shape))
            number += 1
        return x

    def __call__(self, rows, point):
        if "st.conv.0.weight" in self.weights:
            o = self.layers("st.fc", self.layers("st.conv", rows[..., :2]).amax(1))
            o = o + torch.eye(2, dtype=o.dtype, device=o.device).flatten()
            xy = rows[..., :2] @ o.view(-1, 2, 2)
            rows = torch.cat((xy, rows[..., 2:]), -1)
            point = point.clone()
            for column, at in self.omega:
                point[:, column] = o[:, at]
        most = self.layers("lpe.conv", rows).amax(1)
        return F.normalize(self.layers("lpe.fc", torch.cat((most, point), 1)), dim=1)


def main(folder):
    torch.backends.cuda.matmul.allow_tf32 = False
    where = tensors.device()
    weights, texts = tensors.read(folder / "model.safetensors")
    case, ours = tensors.read(folder / "network.safetensors")
    points = len(case["point"])
    print(f"twin: torch {torch.__version__} on {where}, ours on {ours['device']}, {points} points")
    with torch.inference_mode():
        twin, total = Network(weights, texts["card"], torch.float32, where), 0.0
        for i in range(0, points, CHUNK):
            part = slice(i, i + CHUNK)
            got = twin(case["set"][part].to(where), case["point"][part].to(where))
            total += (got - case["embedding"][part].to(where)).norm(dim=1).sum().item()
        failed = not total / points <= LIMIT
        print(f"twin: {total / points:.1e} from ours on average, {LIMIT} allowed{': DIFFERS' * failed}")
        resident = [(case["set"][i:i + CHUNK].to(where), case["point"][i:i + CHUNK].to(where))
                    for i in range(0, points, CHUNK)]

        def forward():
            for rows, point in resident:
                twin(rows, point)
        theirs, own = tensors.median_seconds(forward, where), float(ours["seconds"])
    print(f"twin: {'forward pass, median of 5':<34} {'ms':>10} {'M points/s':>12}")
    for name, seconds in (("our kernel, neighbours gathered", own), ("PyTorch, eager, already gathered", theirs)):
        print(f"twin: {name:<34} {1e3 * seconds:10.3f} {points / seconds / 1e6:12.2f}")
    return failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
