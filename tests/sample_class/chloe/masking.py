from functools import reduce
from operator import and_

import numpy as np

causal_mask = lambda n: np.tri(n, dtype=bool)


def padding_mask(lengths, n):
    return np.greater.outer(lengths, np.arange(n))[:, None]


def combine_masks(*masks):
    return reduce(and_, masks)
