#!/usr/bin/python3
"""Times PyTorch on the layer that experiments/attention_cost times: causal attention of width 512 with 8 heads.

    /usr/bin/python3 bench/torch_attention.py [--threads N] [--seconds S] LONGEST

The forward pass over one sequence of 128, 256 … LONGEST tokens without gradients, with the matrices of scores and
weights written out. Prints a line "tokens milliseconds" for each length: the median over S seconds of repeats behind
a first run. Leaves with code 77 where PyTorch is not installed.
"""

import argparse
import math
import statistics
import sys
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit(77)

WIDTH, HEADS = 512, 8


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.project = torch.nn.Linear(WIDTH, WIDTH)

    def forward(self, x, forbidden):
        q, k, v = (rows.view(len(x), HEADS, -1).transpose(0, 1) for rows in self.qkv(x).chunk(3, dim=-1))
        scores = (q @ k.transpose(1, 2) / math.sqrt(WIDTH // HEADS)).masked_fill(forbidden, -math.inf)
        weights = F.softmax(scores, dim=-1)
        return self.project((weights @ v).transpose(0, 1).reshape(len(x), WIDTH))


def seconds_of(layer, *inputs):
    start = time.perf_counter()
    layer(*inputs)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("longest", type=int)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--seconds", type=float, default=2)
    options = parser.parse_args()

    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    layer = Layer()
    with torch.no_grad():
        n = 128
        while n <= options.longest:
            inputs = torch.randn(n, WIDTH), torch.ones(n, n, dtype=torch.bool).triu(1)
            first, times = seconds_of(layer, *inputs), []
            while first <= options.seconds and (not times or sum(times) < options.seconds):
                times.append(seconds_of(layer, *inputs))
            print(n, 1e3 * statistics.median(times or [first]), flush=True)
            n *= 2


if __name__ == "__main__":
    main()
