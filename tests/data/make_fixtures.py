#!/usr/bin/python3
"""Makes the fixtures beside this script: what PyTorch computes for weights and inputs that are stored with it.

    /usr/bin/python3 tests/data/make_fixtures.py

Debian's python3-torch (1.13) is enough. Arrays are raw little-endian float32 or int32, row by row; their shapes
and PyTorch's version are in fixtures.json. They are made once and committed: no test needs PyTorch.

mha.*         attention of width 32 with 4 heads over 2 sequences of 16, causal, q, k and v without bias:
              nn.MultiheadAttention and F._scaled_dot_product_attention, in float32
two_blocks.*  a pre-norm model of two blocks: logits, loss, every gradient, and the parameters after ten steps of
              AdamW. Computed in float64 from float32 parameters and rounded once, so it is the truth rather
              than another float32 opinion.
positions.*   parameters, tokens and targets of a model of width 128 with 4 heads, without learned positions or MLP
rope.*        its logits, loss and every gradient with rotary positions, and
alibi.*       with a penalty of distance, in float64 likewise
"""

import pathlib
import platform

import torch
import torch.nn.functional as F
from torch import nn

HERE = pathlib.Path(__file__).parent
shapes = {}


def save(name, tensor):
    kind = "i32" if tensor.dtype == torch.int64 else "f32"
    array = tensor.detach().numpy().astype({"i32": "<i4", "f32": "<f4"}[kind])
    array.tofile(HERE / f"{name}.{kind}")
    shapes[f"{name}.{kind}"] = list(array.shape)


def make_mha(width=32, heads=4, sequences=2, length=16):
    torch.manual_seed(1)
    module = nn.MultiheadAttention(width, heads, batch_first=True)
    x = torch.randn(sequences, length, width)
    nn.init.zeros_(module.in_proj_bias)  # C9's projections have none
    nn.init.uniform_(module.out_proj.bias, -(width**-0.5), width**-0.5)
    forbidden = torch.triu(torch.ones(length, length, dtype=torch.bool), 1)
    output, _ = module(x, x, x, attn_mask=forbidden, need_weights=False)

    def split(rows):  # [sequences x length x width] -> [sequences x heads x length x head width]
        return rows.view(sequences, length, heads, width // heads).transpose(1, 2)

    q, k, v = (split(rows) for rows in (x @ module.in_proj_weight.T).chunk(3, dim=-1))
    mixed, _ = F._scaled_dot_product_attention(q, k, v, None, 0.0, False, True)
    functional = module.out_proj(mixed.transpose(1, 2).reshape(sequences, length, width))

    save("mha.x", x)
    save("mha.qkv", module.in_proj_weight)
    save("mha.project", module.out_proj.weight)
    save("mha.project_bias", module.out_proj.bias)
    save("mha.module", output)
    save("mha.functional", functional)


def rotate(x):
    """Pairs of columns as complex numbers, each turned by its own angle (Su et al. 2021, equation 34)."""
    length, width = x.shape[-2:]
    frequencies = 10000 ** (-torch.arange(0, width, 2, dtype=x.dtype) / width)
    angles = torch.outer(torch.arange(length, dtype=x.dtype), frequencies)
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


def penalties(heads, length):
    """What ALiBi adds to scores that are already divided by sqrt(d_k) (Press et al. 2022, section 3)."""
    slopes = torch.tensor([2 ** (-8 * i / heads) for i in range(1, heads + 1)], dtype=torch.float64)
    places = torch.arange(length)
    return slopes[:, None, None] * (places[None, :] - places[:, None])


class Block(nn.Module):
    def __init__(self, width, heads, mlp=True):
        super().__init__()
        self.heads = heads
        self.positions = None  # or "rope", "alibi"
        self.mlp = mlp
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.project = nn.Linear(width, width)
        if mlp:
            self.norm2 = nn.LayerNorm(width)
            self.expand = nn.Linear(width, 4 * width)
            self.contract = nn.Linear(4 * width, width)

    def attend(self, x):
        sequences, length, width = x.shape
        q, k, v = (
            rows.view(sequences, length, self.heads, width // self.heads).transpose(1, 2)
            for rows in self.qkv(x).chunk(3, dim=-1)
        )
        if self.positions == "rope":
            q, k = rotate(q), rotate(k)
        forbidden = torch.triu(torch.ones(length, length, dtype=torch.bool), 1)
        scores = q @ k.transpose(-2, -1) / (width // self.heads) ** 0.5
        if self.positions == "alibi":
            scores = scores + penalties(self.heads, length)
        weights = scores.masked_fill(forbidden, float("-inf")).softmax(-1)
        return self.project((weights @ v).transpose(1, 2).reshape(sequences, length, width))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.contract(F.gelu(self.expand(self.norm2(x)))) if self.mlp else x


class Transformer(nn.Module):
    """Its parameters are registered in the order of lib/model/layout.h. A context of 0: no learned positions."""

    def __init__(self, vocabulary, context, width, heads, blocks, mlp=True):
        super().__init__()
        self.token = nn.Embedding(vocabulary, width)
        self.position = nn.Embedding(context, width) if context else None
        self.blocks = nn.ModuleList(Block(width, heads, mlp) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.vocabulary = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        x = self.token(tokens)
        if self.position:
            x = x + self.position.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.vocabulary(self.norm(x))


def flat(tensors):
    return torch.cat([tensor.reshape(-1) for tensor in tensors])


def unsettle_norms(model):
    """Gains and biases other than 1 and 0, so that a wrong one shows."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.add_(0.1 * torch.randn_like(parameter))


def take_pass(model, tokens, targets):
    """The logits and the loss, whose gradients are in the parameters afterwards."""
    model.zero_grad()
    logits = model(tokens)
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
    loss.backward()
    return logits, loss


def save_pass(name, model, logits):
    save(f"{name}.logits", logits)
    save(f"{name}.gradient", flat(p.grad for p in model.parameters()))


def make_two_blocks(vocabulary=32, context=12, width=16, heads=2, sequences=3, steps=10):
    torch.manual_seed(2)
    model = Transformer(vocabulary, context, width, heads, blocks=2)
    unsettle_norms(model)
    save("two_blocks.parameters", flat(model.parameters()))

    model.double()
    tokens = torch.randint(vocabulary, (sequences, context))
    targets = torch.randint(vocabulary, (sequences, context))
    save("two_blocks.tokens", tokens)
    save("two_blocks.targets", targets)

    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for step in range(steps):
        logits, loss = take_pass(model, tokens, targets)
        if step == 0:
            save_pass("two_blocks", model, logits)
        losses.append(loss.item())
        optimizer.step()
    save("two_blocks.losses", torch.tensor(losses))
    save("two_blocks.trained", flat(model.parameters()))


def make_positions(vocabulary=32, length=80, width=128, heads=4, sequences=2):
    torch.manual_seed(3)
    model = Transformer(vocabulary, 0, width, heads, blocks=1, mlp=False)
    unsettle_norms(model)
    save("positions.parameters", flat(model.parameters()))

    model.double()
    tokens = torch.randint(vocabulary, (sequences, length))
    targets = torch.randint(vocabulary, (sequences, length))
    save("positions.tokens", tokens)
    save("positions.targets", targets)
    for kind in "rope", "alibi":
        model.blocks[0].positions = kind
        logits, loss = take_pass(model, tokens, targets)
        save_pass(kind, model, logits)
        save(f"{kind}.losses", loss.reshape(1))


make_mha()
make_two_blocks()
make_positions()
lines = ",\n".join(f'    "{name}": {shape}' for name, shape in shapes.items())
made_by = f'  "torch": "{torch.__version__}",\n  "python": "{platform.python_version()}",\n'
(HERE / "fixtures.json").write_text(f'{{\n{made_by}  "shapes": {{\n{lines}\n  }}\n}}\n')
