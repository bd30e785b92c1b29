#!/usr/bin/python3
"""Times PyTorch on the training step that bench/step times: C9's one-block model, 64 windows of 128 tokens.

    /usr/bin/python3 bench/torch_step.py [--json] [--steps N]

The same model, loss and optimizer, in PyTorch's usual form; every number of threads up to the machine's cores is
tried, and the best counts. A step's time is the median.
"""

import argparse
import json
import os
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

VOCABULARY, LENGTH, BATCH, WIDTH, HEADS = 1024, 128, 64, 128, 4


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.project = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("forbidden", torch.triu(torch.ones(LENGTH, LENGTH, dtype=torch.bool), 1))

    def forward(self, x):
        q, k, v = (
            rows.view(BATCH, LENGTH, HEADS, WIDTH // HEADS).transpose(1, 2) for rows in self.qkv(x).chunk(3, dim=-1)
        )
        if hasattr(F, "scaled_dot_product_attention"):  # PyTorch 2: fused
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = (q @ k.transpose(-2, -1)) * (WIDTH // HEADS) ** -0.5
            mixed = scores.masked_fill(self.forbidden, float("-inf")).softmax(-1) @ v
        return self.project(mixed.transpose(1, 2).reshape(BATCH, LENGTH, WIDTH))


class OneBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Embedding(VOCABULARY, WIDTH)
        self.position = nn.Embedding(LENGTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH)
        self.attention = Attention()
        self.norm2 = nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))
        self.norm = nn.LayerNorm(WIDTH)
        self.vocabulary = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens):
        x = self.token(tokens) + self.position.weight
        x = x + self.attention(self.norm1(x))
        x = x + self.mlp(self.norm2(x))
        return self.vocabulary(self.norm(x))


def milliseconds_per_step(threads, steps):
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = OneBlock()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    tokens = torch.randint(VOCABULARY, (BATCH, LENGTH))
    targets = torch.randint(VOCABULARY, (BATCH, LENGTH))
    times = []
    for _ in range(3 + steps):
        start = time.perf_counter()
        loss = F.cross_entropy(model(tokens).view(-1, VOCABULARY), targets.view(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times[3:])  # the first three warm up


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--steps", type=int, default=20, help="steps to time, for each number of threads")
    options = parser.parse_args()

    cores = len(os.sched_getaffinity(0))
    times = {threads: milliseconds_per_step(threads, options.steps) for threads in range(1, cores + 1)}
    best = min(times, key=times.get)
    if options.json:
        print(json.dumps({"ms_per_step": times[best], "threads": best, "torch": torch.__version__}))
    else:
        print(f"PyTorch {torch.__version__}: {times[best]:.1f} ms a step, with {best} threads its best")


if __name__ == "__main__":
    main()
