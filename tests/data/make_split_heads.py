#!/usr/bin/python3
"""Prints the tensors of the topic "Multi-head attention" at its seed, as C arrays for experiments/split_heads.c.

Written with Debian 12's python3-torch 1.13.1. The module's weights, its input and its output are PyTorch's own;
what the page does with them by hand is done again in C.
"""
import torch

torch.manual_seed(0)
module = torch.nn.MultiheadAttention(4, 2, batch_first=True)
x = torch.randn(1, 5, 4)
with torch.no_grad():
    output, _ = module(x, x, x)


def show(name, tensor):
    values = tensor.detach().reshape(-1, 4)
    rows = ",\n    ".join("{" + ", ".join(f"{v:.9g}f" for v in row) + "}" for row in values.tolist())
    print(f"static const float {name}[{len(values)}][WIDTH] = {{\n    {rows},\n}};")


print(f"/* torch {torch.__version__} */")
show("x", x)
show("in_projection", module.in_proj_weight)
show("out_projection", module.out_proj.weight)
show("module_output", output)
assert not module.in_proj_bias.any() and not module.out_proj.bias.any()  # PyTorch starts both at 0
