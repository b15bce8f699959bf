import numpy as np

SCORES_SHAPE = "(n_q,n_k)"
OUTPUT_SHAPE = "(n_q,d_v)"
HAND_SCORES = np.array([[1, 0, 2], [0, 2, 0]])
HAND_WEIGHTS = np.exp(HAND_SCORES) / np.exp(HAND_SCORES).sum(axis=1, keepdims=True)
HAND_OUTPUT = HAND_WEIGHTS @ [[1, 0], [0, 2], [2, 1]]
DOT_PRODUCT_VARIANCE = 64.0
SHUFFLED_TOKENS, CAUSAL_MASK_HIDES = "c", "b"
BERT, GPT, T5 = "encoder", "decoder", "both"
CROSS_ATTENTION = ("T5",)
CROSSOVER_LENGTH = 6144
