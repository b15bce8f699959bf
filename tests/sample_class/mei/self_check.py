SCORES_SHAPE = "(n_q, n_k)"
OUTPUT_SHAPE = "(n_q, d_v)"

# 2*1 + 0*0 + 1*0 + 1*0 = 2 and so on
HAND_SCORES = [[2, 0, 4], [0, 4, 0]]
HAND_WEIGHTS = [[0.117, 0.016, 0.867], [0.018, 0.965, 0.018]]
HAND_OUTPUT = [[1.851, 0.899], [0.053, 1.947]]

DOT_PRODUCT_VARIANCE = 64
SHUFFLED_TOKENS = "c"
CAUSAL_MASK_HIDES = "a"

BERT = "encoder"
GPT = "encoder"
T5 = "both"
CROSS_ATTENTION = ["T5"]
CROSSOVER_LENGTH = 6144
