# Shapes
SCORES_SHAPE = "(n_q, n_k)"
OUTPUT_SHAPE = "(n_q, d_v)"

# By hand
HAND_SCORES = [[1, 0, 2], [0, 2, 0]]
HAND_WEIGHTS = [[0.245, 0.090, 0.665], [0.107, 0.787, 0.107]]
HAND_OUTPUT = [[1.576, 0.845], [0.319, 1.681]]

# Why divide?
DOT_PRODUCT_VARIANCE = 64

# Order
SHUFFLED_TOKENS = "c"
CAUSAL_MASK_HIDES = "b"

# Who is who
BERT = "both"
GPT = "decoder"
T5 = "both"
CROSS_ATTENTION = ["T5"]

# Cost
CROSSOVER_LENGTH = 6144
