"""Right answers to the questions of ``self_check``, written in many ways."""

import numpy as np

from tests.variants import variant


@variant("SCORES_SHAPE")
def scores_shape_spaces():
    return " ( n_q , n_k ) "


@variant("SCORES_SHAPE")
def scores_shape_no_brackets():
    return "n_q, n_k"


@variant("SCORES_SHAPE")
def scores_shape_no_spaces():
    return "(n_q,n_k)"


@variant("SCORES_SHAPE")
def scores_shape_square_brackets():
    return "[n_q, n_k]"


@variant("SCORES_SHAPE")
def scores_shape_tuple_of_names():
    return ("n_q", "n_k")


@variant("SCORES_SHAPE")
def scores_shape_list_of_names():
    return ["n_q", "n_k"]


@variant("SCORES_SHAPE")
def scores_shape_capitals():
    return "(N_Q, N_K)"


@variant("SCORES_SHAPE")
def scores_shape_times():
    return "n_q × n_k"


@variant("SCORES_SHAPE")
def scores_shape_with_batch():
    return "(..., n_q, n_k)"


@variant("OUTPUT_SHAPE")
def output_shape_spaces():
    return "(n_q , d_v)"


@variant("OUTPUT_SHAPE")
def output_shape_no_brackets():
    return "n_q, d_v"


@variant("OUTPUT_SHAPE")
def output_shape_only_a_space():
    return "n_q d_v"


@variant("OUTPUT_SHAPE")
def output_shape_tuple_of_names():
    return ("n_q", "d_v")


@variant("OUTPUT_SHAPE")
def output_shape_list_of_names():
    return ["n_q", "d_v"]


@variant("OUTPUT_SHAPE")
def output_shape_times():
    return "n_q x d_v"


@variant("HAND_SCORES")
def hand_scores_floats():
    return [[1.0, 0.0, 2.0], [0.0, 2.0, 0.0]]


@variant("HAND_SCORES")
def hand_scores_tuples():
    return ((1, 0, 2), (0, 2, 0))


@variant("HAND_SCORES")
def hand_scores_array():
    return np.array([[1, 0, 2], [0, 2, 0]])


@variant("HAND_SCORES")
def hand_scores_small_array():
    return np.array([[1, 0, 2], [0, 2, 0]], dtype=np.int8)


@variant("HAND_SCORES")
def hand_scores_numpy_scalars():
    return [[np.float64(1), np.int64(0), 2], [0, 2.0, 0]]


@variant("HAND_SCORES")
def hand_scores_computed():
    return (
        np.array([[2, 0, 1, 1], [0, 2, 1, -1]]) @ np.array([[1, 0, 0, 0], [0, 1, 1, -1], [1, 0, 1, 1]]).T / 2
    ).tolist()


@variant("HAND_SCORES")
def hand_scores_minus_zero():
    return [[1, -0.0, 2], [0, 2, 0]]


@variant("HAND_WEIGHTS")
def hand_weights_many_decimals():
    return [[0.24472847, 0.09003057, 0.66524096], [0.10650698, 0.78698604, 0.10650698]]


@variant("HAND_WEIGHTS")
def hand_weights_array():
    return np.array([[0.2447, 0.0900, 0.6652], [0.1065, 0.7870, 0.1065]])


@variant("HAND_WEIGHTS")
def hand_weights_rounded_down():
    return [[0.244, 0.090, 0.665], [0.106, 0.786, 0.106]]


@variant("HAND_WEIGHTS")
def hand_weights_tuples():
    return ((0.245, 0.09, 0.665), (0.107, 0.787, 0.107))


@variant("HAND_WEIGHTS")
def hand_weights_adding_up():
    return [[0.245, 0.090, 0.665], [0.107, 0.786, 0.107]]


@variant("HAND_WEIGHTS")
def hand_weights_single_precision():
    return np.array([[0.245, 0.09, 0.665], [0.107, 0.787, 0.107]], dtype=np.float32)


@variant("HAND_WEIGHTS")
def hand_weights_of_rounded_exponentials():
    return [[2.72 / 11.11, 1 / 11.11, 7.39 / 11.11], [1 / 9.39, 7.39 / 9.39, 1 / 9.39]]


@variant("HAND_OUTPUT")
def hand_output_many_decimals():
    return [[1.57521038, 0.84530210], [0.31952095, 1.68047906]]


@variant("HAND_OUTPUT")
def hand_output_of_rounded_weights():
    return [[0.245 + 2 * 0.665, 2 * 0.090 + 0.665], [0.107 + 2 * 0.107, 2 * 0.787 + 0.107]]


@variant("HAND_OUTPUT")
def hand_output_array():
    return np.array([[1.575, 0.845], [0.320, 1.680]])


@variant("HAND_OUTPUT")
def hand_output_tuples():
    return ((1.575, 0.845), (0.32, 1.68))


@variant("HAND_OUTPUT")
def hand_output_rounded_up():
    return [[1.576, 0.846], [0.320, 1.681]]


@variant("HAND_OUTPUT")
def hand_output_numpy_scalars():
    return [[np.float64(1.575), 0.845], [np.float32(0.32), 1.68]]


@variant("DOT_PRODUCT_VARIANCE")
def dot_product_variance_float():
    return 64.0


@variant("DOT_PRODUCT_VARIANCE")
def dot_product_variance_in_quotes():
    return "64"


@variant("DOT_PRODUCT_VARIANCE")
def dot_product_variance_product():
    return 8 * 8


@variant("DOT_PRODUCT_VARIANCE")
def dot_product_variance_numpy_integer():
    return np.int64(64)


@variant("DOT_PRODUCT_VARIANCE")
def dot_product_variance_numpy_float():
    return np.float32(64)


@variant("DOT_PRODUCT_VARIANCE")
def dot_product_variance_array_without_axes():
    return np.array(64)


@variant("SHUFFLED_TOKENS")
def shuffled_tokens_capital():
    return "C"


@variant("SHUFFLED_TOKENS")
def shuffled_tokens_brackets():
    return "(c)"


@variant("SHUFFLED_TOKENS")
def shuffled_tokens_half_bracket():
    return "c)"


@variant("SHUFFLED_TOKENS")
def shuffled_tokens_dot():
    return " c."


@variant("SHUFFLED_TOKENS")
def shuffled_tokens_colon():
    return "c:"


@variant("SHUFFLED_TOKENS")
def shuffled_tokens_square():
    return "[C]"


@variant("CAUSAL_MASK_HIDES")
def causal_mask_hides_capital():
    return "B"


@variant("CAUSAL_MASK_HIDES")
def causal_mask_hides_brackets():
    return "(b)"


@variant("CAUSAL_MASK_HIDES")
def causal_mask_hides_half_bracket():
    return "b)"


@variant("CAUSAL_MASK_HIDES")
def causal_mask_hides_dot():
    return "B. "


@variant("CAUSAL_MASK_HIDES")
def causal_mask_hides_spaces():
    return "  b "


@variant("CAUSAL_MASK_HIDES")
def causal_mask_hides_spaced_brackets():
    return "( b )"


@variant("BERT")
def bert_capital():
    return "Encoder"


@variant("BERT")
def bert_spaces():
    return " encoder "


@variant("BERT")
def bert_only():
    return "encoder only"


@variant("BERT")
def bert_hyphen():
    return "encoder-only"


@variant("BERT")
def bert_article():
    return "An encoder."


@variant("BERT")
def bert_capitals():
    return "ENCODER"


@variant("BERT")
def bert_plural():
    return "encoder blocks"


@variant("GPT")
def gpt_capital():
    return "Decoder"


@variant("GPT")
def gpt_spaces():
    return " decoder "


@variant("GPT")
def gpt_only():
    return "decoder only"


@variant("GPT")
def gpt_hyphen():
    return "Decoder-only"


@variant("GPT")
def gpt_article():
    return "a decoder"


@variant("GPT")
def gpt_plural():
    return "only decoder blocks"


@variant("T5")
def t5_capital():
    return "Both"


@variant("T5")
def t5_dot():
    return "both."


@variant("T5")
def t5_named():
    return "encoder and decoder"


@variant("T5")
def t5_hyphen():
    return "encoder-decoder"


@variant("T5")
def t5_order():
    return "decoder, encoder"


@variant("T5")
def t5_slash():
    return "Encoder/Decoder"


@variant("CROSS_ATTENTION")
def cross_attention_small_letters():
    return ["t5"]


@variant("CROSS_ATTENTION")
def cross_attention_tuple():
    return ("T5",)


@variant("CROSS_ATTENTION")
def cross_attention_text():
    return "T5"


@variant("CROSS_ATTENTION")
def cross_attention_text_in_brackets():
    return "[T5]"


@variant("CROSS_ATTENTION")
def cross_attention_twice():
    return ["T5", "T5"]


@variant("CROSS_ATTENTION")
def cross_attention_spaces():
    return [" T5 "]


@variant("CROSS_ATTENTION")
def cross_attention_quoted_list():
    return "['T5']"


@variant("CROSSOVER_LENGTH")
def crossover_length_float():
    return 6144.0


@variant("CROSSOVER_LENGTH")
def crossover_length_product():
    return 6 * 1024


@variant("CROSSOVER_LENGTH")
def crossover_length_sum():
    return 2 * 1024 + 4 * 1024


@variant("CROSSOVER_LENGTH")
def crossover_length_in_quotes():
    return " 6144 "


@variant("CROSSOVER_LENGTH")
def crossover_length_numpy_integer():
    return np.int32(6144)


@variant("CROSSOVER_LENGTH")
def crossover_length_underscore():
    return 6_144
