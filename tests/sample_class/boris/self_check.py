# I let Python do the sums, but step by step, as by hand.
import math

SCORES_SHAPE = "n_q, n_k"
OUTPUT_SHAPE = "n_q, d_v"

queries = [[2, 0, 1, 1], [0, 2, 1, -1]]
keys = [[1, 0, 0, 0], [0, 1, 1, -1], [1, 0, 1, 1]]
values = [[1, 0], [0, 2], [2, 1]]

HAND_SCORES = []
for query in queries:
    row = []
    for key in keys:
        total = 0
        for i in range(4):
            total += query[i] * key[i]
        row.append(total / 2)
    HAND_SCORES.append(row)

HAND_WEIGHTS = []
for row in HAND_SCORES:
    powers = [math.exp(score) for score in row]
    HAND_WEIGHTS.append([round(power / sum(powers), 3) for power in powers])

HAND_OUTPUT = []
for row in HAND_WEIGHTS:
    first = row[0] * values[0][0] + row[1] * values[1][0] + row[2] * values[2][0]
    second = row[0] * values[0][1] + row[1] * values[1][1] + row[2] * values[2][1]
    HAND_OUTPUT.append([round(first, 3), round(second, 3)])

DOT_PRODUCT_VARIANCE = 64 * 1 * 1
SHUFFLED_TOKENS = "C"
CAUSAL_MASK_HIDES = "B"
BERT = "Encoder"
GPT = "Decoder"
T5 = "Both"
CROSS_ATTENTION = ["t5"]
CROSSOVER_LENGTH = 6 * 1024
