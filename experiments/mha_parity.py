#!/usr/bin/python3
"""mha_parity.py FOLDER WIDTH HEADS: attention by PyTorch, for weights and inputs that mha_parity wrote.

Reads mha.x, mha.qkv, mha.project and mha.project_bias (raw float32) from FOLDER; writes mha.module and mha.functional
there. Leaves with code 77 where PyTorch is not installed.
"""

import pathlib
import sys

try:
    import numpy
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit(77)

folder = pathlib.Path(sys.argv[1])
width, heads = map(int, sys.argv[2:])


def load(name, *shape):
    return torch.from_numpy(numpy.fromfile(folder / f"mha.{name}.f32", numpy.float32).reshape(shape))


def save(name, tensor):
    tensor.numpy().tofile(folder / f"mha.{name}.f32")


x = load("x", 1, -1, width)
length = x.shape[1]
module = torch.nn.MultiheadAttention(width, heads, batch_first=True)
with torch.no_grad():
    module.in_proj_weight.copy_(load("qkv", 3 * width, width))
    module.in_proj_bias.zero_()
    module.out_proj.weight.copy_(load("project", width, width))
    module.out_proj.bias.copy_(load("project_bias", width))
    forbidden = torch.triu(torch.ones(length, length, dtype=torch.bool), 1)
    output, _ = module(x, x, x, attn_mask=forbidden, need_weights=False)
    save("module", output)

    q, k, v = (
        rows.view(1, length, heads, width // heads).transpose(1, 2)
        for rows in (x @ module.in_proj_weight.T).chunk(3, dim=-1)
    )
    if hasattr(F, "scaled_dot_product_attention"):
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:  # PyTorch 1.13, where it is still private
        mixed, _ = F._scaled_dot_product_attention(q, k, v, None, 0.0, False, True)
    save("functional", module.out_proj(mixed.transpose(1, 2).reshape(1, length, width)))
