"""What the training programs share: one stream of samples over all epochs, and weights averaged over time."""
import copy
import math
import time

import cv2
import numpy as np
import torch
import torch.nn as nn


class Stream(torch.utils.data.Dataset):
    """Samples of items, each epoch varied anew: make(item, rng) -> arrays. Sample j is item j modulo their number."""

    def __init__(self, items, make, seed):
        self.items, self.make, self.seed = items, make, seed

    def __len__(self):
        return len(self.items)

    def __getitem__(self, j):
        cv2.setNumThreads(1)
        rng = np.random.default_rng((self.seed, j))
        return [torch.from_numpy(np.ascontiguousarray(a)) for a in self.make(self.items[j % len(self.items)], rng)]


def one_cycle(progress, rate, warm):
    """The rate at a progress of 0..1: up from nearly nothing until warm, down again to nothing along a cosine."""
    if progress < warm:
        return rate * (0.04 + 0.96 * progress / warm)
    return rate * (0.5 + 0.5 * math.cos(math.pi * min(1, (progress - warm) / (1 - warm)))) + 1e-7


def run(net, items, make, loss_of, report, out, epochs, rate, batch, seed, warm=0.1, average=0.995, minutes=None, every=4):
    """Trains net; every few epochs report(averaged net) is printed and the averaged weights are saved to out.pt.
    With minutes the cycle of the rate ends after that time by the clock, or after all epochs if that is earlier."""
    rng = np.random.default_rng(seed)
    n = len(items) - len(items) % batch
    order = np.concatenate([e * len(items) + rng.permutation(len(items))[:n] for e in range(epochs)])
    loader = torch.utils.data.DataLoader(Stream(items, make, seed), batch, sampler=order.tolist(), num_workers=1, prefetch_factor=8)
    opt = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
    mean = copy.deepcopy(net).eval()
    began, total, step = time.time(), 0.0, 0
    net.train()
    for sample in loader:
        progress = step * batch / len(order)
        if minutes:
            progress = max(progress, (time.time() - began) / 60 / minutes)
        if progress >= 1:
            break
        for group in opt.param_groups:
            group["lr"] = one_cycle(progress, rate, warm)
        loss = loss_of(net, sample)
        opt.zero_grad(); loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()
        total, step = total + loss.item(), step + 1
        k = min(average, step / (step + 10))
        with torch.no_grad():
            for a, b in zip(mean.state_dict().values(), net.state_dict().values()):
                if a.dtype.is_floating_point:
                    a.mul_(k).add_(b, alpha=1 - k)
                else:
                    a.copy_(b)
        if step % (n // batch) == 0:
            epoch = step // (n // batch)
            line = f"epoch {epoch} loss {total / (n // batch):.4f} t {time.time() - began:.0f}"
            total = 0.0
            if epoch % every == 0:
                line += " " + str(report(mean))
                torch.save(mean.state_dict(), out + ".pt")
            print(line, flush=True)
    print(f"end t {time.time() - began:.0f} {report(mean)}", flush=True)
    torch.save(mean.state_dict(), out + ".pt")
    return mean
