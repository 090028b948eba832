"""What the programs that train the finding of a board share: their options, and the boards they learn from."""
import argparse

import cv2
import numpy as np
import torch
import torch.nn as nn

import boards
import scenes
from restore import restore

SIDE = 160                      # pixels of what the networks see
MAP = SIDE // 8                 # cells on each side of what they say
ENOUGH = 640                    # pixels of a picture's longer side that are enough to learn from


def conv(i, o, stride=1, dilation=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Trunk(nn.Module):
    """(b, 3, SIDE, SIDE) -> features of what is near (b, 32, 2 MAP, 2 MAP), of all (b, width, MAP, MAP), and of the whole alone
    (b, 64, 1, 1)."""

    def __init__(self, width=64):
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), conv(32, 32))
        self.coarse = conv(32, width, 2)
        self.near = nn.ModuleList([conv(width, width, 1, d) for d in (1, 2, 4)])
        self.squeeze = nn.Sequential(nn.Conv2d(width, 20, 1), nn.ReLU(inplace=True), nn.AvgPool2d(2))
        self.full = nn.Sequential(nn.Conv2d(20, 64, MAP // 2), nn.ReLU(inplace=True))
        self.spread = nn.Conv2d(64, width, 1)
        self.far = nn.ModuleList([conv(width, width, 1, d) for d in (8, 2, 1)])

    def features(self, x):
        fine = self.stem(x)
        x = self.coarse(fine)
        for f in self.near:
            x = x + f(x)
        full = self.full(self.squeeze(x))
        x = x + self.spread(full)
        for f in self.far:
            x = x + f(x)
        return fine, x, full


class Joined(nn.Module):
    """A network as it is embedded, with one output: all its maps one after the other, flat."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return torch.cat([o.flatten(1) for o in self.net(x)], 1)


def export(net, path):
    """Writes the trained network as ONNX."""
    joined = Joined(net.to(memory_format=torch.contiguous_format)).eval()
    torch.onnx.export(joined, torch.zeros(1, 3, SIDE, SIDE), path, opset_version=11, input_names=["view"], output_names=["all"])


def arguments(name, epochs, rate):
    """The options of a training program, and one thread for all."""
    a = argparse.ArgumentParser()
    a.add_argument("--data", default="../../../shared/data")
    a.add_argument("--epochs", type=int, default=epochs)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--rate", type=float, default=rate)
    a.add_argument("--drawn", type=float, default=1.0, help="drawn boards for each picture")
    a.add_argument("--real", default="none", help="photographs to learn from too: none, all, or all but some of boards.GROUPS, named with commas between")
    a.add_argument("--stills", action="store_true", help="learn from stills/dev too, each picture half as often as a photograph")
    a.add_argument("--photographs", type=int, default=12, help="how often each photograph learned from comes for each rendered picture")
    a.add_argument("--times", type=int, default=3, help="samples of each picture in an epoch")
    a.add_argument("--measured", default="held,dev,real", help="sets to measure every fourth epoch")
    a.add_argument("--start", help="weights to go on from")
    a.add_argument("--shipped", help="an ONNX file of weights to go on from, where their state is gone")
    a.add_argument("--minutes", type=float, help="by the clock, after which training ends if the epochs have not")
    a.add_argument("--out", default=name)
    o = a.parse_args()
    torch.manual_seed(o.seed); torch.set_num_threads(1); cv2.setNumThreads(1)
    return o


def begin(net, options, views):
    """Loads the weights that training goes on from, if there are any; views() gives some of what the network sees."""
    if options.start:
        net.load_state_dict(torch.load(options.start))
    elif options.shipped:
        restore(net, options.shipped, [(torch.from_numpy(np.stack([views() for _ in range(32)])),) for _ in range(8)])


class Stock:
    """Samples kept to be varied more than once: each is seen a few times before a fresh one takes its place."""

    FRESH = 0.3                 # share of samples that are made anew

    def __init__(self, size):
        self.size, self.kept = size, []

    def take(self, fresh, rng):
        if len(self.kept) < self.size:
            self.kept.append(fresh())
            return self.kept[-1]
        at = rng.integers(self.size)
        if rng.random() < self.FRESH:
            self.kept[at] = fresh()
        return self.kept[at]


class Pool:
    """Boards to learn from: those of data/train but every tenth, photographs where asked for, and drawn boards without end;
    and the sets that are measured."""

    STOCK = 48                  # drawn boards kept; each is seen a few times before another takes its place

    def __init__(self, rooms, items, measured):
        self.rooms, self.items, self.measured, self.stock = rooms, items, measured, []

    @classmethod
    def of(cls, options):
        """The pool that a training program's options ask for: options.drawn drawn boards for each real or rendered one."""
        data = options.data
        train = boards.load(data + "/train", lambda i, r: i % 10 != 0)
        measured = {"held": boards.load(data + "/train", lambda i, r: i % 10 == 0), "dev": boards.load(data + "/stills/dev"), "real": boards.load(data + "/real")}
        if options.real != "none":
            without = options.real.split(",")
            learn = [b for b in measured["real"] if boards.group(b.name) not in without]
            measured["real"] = [b for b in measured["real"] if boards.group(b.name) in without]
            train = train + options.photographs * learn
        if options.stills:
            train = train + options.photographs // 2 * measured.pop("dev")
        measured = {k: v for k, v in measured.items() if k in options.measured.split(",")}
        for b in set(train):
            b.image, b.corners = boards.shrink(b.image, b.corners, ENOUGH / max(b.image.shape[:2]))
        return cls(scenes.Rooms(scenes.photographs(data + "/dice", lambda i: i % 2 == 0)), train + [None] * int(len(train) * options.drawn), measured)

    def take(self, item, rng):
        """The item itself, or a drawn board where it is None."""
        if item is not None:
            return item
        if len(self.stock) < self.STOCK or rng.random() < 0.5:
            at = len(self.stock) if len(self.stock) < self.STOCK else rng.integers(self.STOCK)
            self.stock[at:at + 1] = [scenes.draw(rng, self.rooms)]
        return self.stock[rng.integers(len(self.stock))]
