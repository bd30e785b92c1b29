#!/usr/bin/python3
"""mha_parity.py FOLDER WIDTH HEADS LENGTH: attention by PyTorch, for weights and inputs that mha_parity wrote.

Reads x, qkv, project and bias (raw float32) from FOLDER; writes module and functional there.
"""

import pathlib
import sys

import numpy
import torch
import torch.nn.functional as F

folder = pathlib.Path(sys.argv[1])
width, heads, length = map(int, sys.argv[2:])


def load(name, *shape):
    return torch.from_numpy(numpy.fromfile(folder / name, numpy.float32).reshape(shape))


x = load("x", 1, length, width)
module = torch.nn.MultiheadAttention(width, heads, batch_first=True)
with torch.no_grad():
    module.in_proj_weight.copy_(load("qkv", 3 * width, width))
    module.in_proj_bias.zero_()
    module.out_proj.weight.copy_(load("project", width, width))
    module.out_proj.bias.copy_(load("bias", width))
    forbidden = torch.triu(torch.ones(length, length, dtype=torch.bool), 1)
    output, _ = module(x, x, x, attn_mask=forbidden, need_weights=False)
    output.numpy().tofile(folder / "module")

    q, k, v = (
        rows.view(1, length, heads, width // heads).transpose(1, 2)
        for rows in (x @ module.in_proj_weight.T).chunk(3, dim=-1)
    )
    if hasattr(F, "scaled_dot_product_attention"):
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:  # PyTorch 1.13, where it is still private
        mixed, _ = F._scaled_dot_product_attention(q, k, v, None, 0.0, False, True)
    module.out_proj(mixed.transpose(1, 2).reshape(1, length, width)).numpy().tofile(folder / "functional")
