"""Wrong answers to the questions of ``self_check``. What a student is told of them never is the right one."""

from grader.misconceptions import misconception


@misconception("SCORES_SHAPE")
def scores_shape_transposed() -> str:
    """This is not the shape that the scores have in the lessons.

    Next: what does a row of the scores belong to?
    """
    return "(n_k, n_q)"


@misconception("SCORES_SHAPE")
def scores_shape_with_features() -> str:
    """This is the shape of the queries themselves.

    Next: say in words what one score belongs to.
    """
    return "(n_q, d_k)"


@misconception("SCORES_SHAPE")
def scores_shape_as_the_output() -> str:
    """The width of the values does not enter before the weights are known.

    Next: say in words what one score belongs to.
    """
    return "(n_q, d_v)"


@misconception("SCORES_SHAPE")
def scores_shape_queries_only() -> str:
    """This is the shape only if a query meets queries.

    Next: say in words what one score belongs to.
    """
    return "(n_q, n_q)"


@misconception("SCORES_SHAPE")
def scores_shape_features_by_features() -> str:
    """This is the shape of a product summed over the tokens instead of the features.

    Next: which axis disappears when a query meets a key?
    """
    return "(d_k, d_k)"


@misconception("SCORES_SHAPE")
def scores_shape_keys_by_features() -> str:
    """This is the shape of the keys themselves.

    Next: say in words what one score belongs to.
    """
    return "(n_k, d_k)"


@misconception("SCORES_SHAPE")
def scores_shape_of_values() -> str:
    """The width of the values does not enter before the weights are known.

    Next: say in words what one score belongs to.
    """
    return "(n_k, d_v)"


@misconception("OUTPUT_SHAPE")
def output_shape_as_the_scores() -> str:
    """What comes out is made of the values, and this shape knows nothing of them.

    Next: what does each query take home?
    """
    return "(n_q, n_k)"


@misconception("OUTPUT_SHAPE")
def output_shape_as_the_values() -> str:
    """This is the shape of the values.

    Next: what does each query take home?
    """
    return "(n_k, d_v)"


@misconception("OUTPUT_SHAPE")
def output_shape_width_of_the_keys() -> str:
    """This is the shape of the queries.

    Next: what does each query take home?
    """
    return "(n_q, d_k)"


@misconception("OUTPUT_SHAPE")
def output_shape_transposed() -> str:
    """This is not the shape that the output has in the lessons.

    Next: what does a row of the output belong to?
    """
    return "(d_v, n_q)"


@misconception("OUTPUT_SHAPE")
def output_shape_as_the_keys() -> str:
    """This is the shape of the keys.

    Next: what does each query take home?
    """
    return "(n_k, d_k)"


@misconception("HAND_SCORES")
def hand_scores_without_scale() -> list[list[float]]:
    """The dot products are not divided by the root of the number of features.

    Next: count the features of a query and divide by their root.
    """
    return [[2, 0, 4], [0, 4, 0]]


@misconception("HAND_SCORES")
def hand_scores_scale_without_root() -> list[list[float]]:
    """The dot products are divided by the number of features instead of its root.

    Next: look for the root in the formula.
    """
    return [[0.5, 0, 1], [0, 1, 0]]


@misconception("HAND_SCORES")
def hand_scores_scale_by_keys() -> list[list[float]]:
    """The dot products are divided by the root of the number of keys.

    Next: what is under the root is a number of features.
    """
    return [[1.155, 0, 2.309], [0, 2.309, 0]]


@misconception("HAND_SCORES")
def hand_scores_sign_lost() -> list[list[float]]:
    """A minus sign was lost in the second row: minus one times minus one is one.

    Next: multiply the last features again.
    """
    return [[1, 0, 2], [0, 1, 1]]


@misconception("HAND_SCORES")
def hand_scores_multiplied_by_the_root() -> list[list[float]]:
    """The dot products are multiplied by the root of the number of features instead of divided.

    Next: is it a product or a quotient in the formula?
    """
    return [[4, 0, 8], [0, 8, 0]]


@misconception("HAND_SCORES")
def hand_scores_turned_on_its_side() -> list[list[float]]:
    """There is a row for each key instead of each query.

    Next: which axis of the scores belongs to the queries?
    """
    return [[1, 0], [0, 2], [2, 0]]


@misconception("HAND_WEIGHTS")
def hand_weights_without_scale() -> list[list[float]]:
    """The softmax was taken of the dot products, before they were divided.

    Next: use the scores of the question before.
    """
    return [[0.117, 0.016, 0.867], [0.018, 0.965, 0.018]]


@misconception("HAND_WEIGHTS")
def hand_weights_over_the_queries() -> list[list[float]]:
    """The columns sum to 1 instead of the rows.

    Next: each query hands out a weight of 1 in all.
    """
    return [[0.731, 0.119, 0.881], [0.269, 0.881, 0.119]]


@misconception("HAND_WEIGHTS")
def hand_weights_over_everything() -> list[list[float]]:
    """All six numbers sum to 1, instead of each row.

    Next: each query hands out a weight of 1 in all.
    """
    return [[0.133, 0.049, 0.360], [0.049, 0.360, 0.049]]


@misconception("HAND_WEIGHTS")
def hand_weights_without_exponential() -> list[list[float]]:
    """The scores were divided by their sum, without the exponential function.

    Next: apply the exponential function first.
    """
    return [[0.333, 0, 0.667], [0, 1, 0]]


@misconception("HAND_WEIGHTS")
def hand_weights_not_normalised() -> list[list[float]]:
    """The exponentials were not divided by their sum.

    Next: divide each row by its sum.
    """
    return [[2.718, 1, 7.389], [1, 7.389, 1]]


@misconception("HAND_WEIGHTS")
def hand_weights_two_decimals() -> list[list[float]]:
    """The numbers are rounded to two decimals.

    Next: give three decimals.
    """
    return [[0.24, 0.09, 0.67], [0.11, 0.79, 0.11]]


@misconception("HAND_WEIGHTS")
def hand_weights_scale_without_root() -> list[list[float]]:
    """The softmax was taken of dot products divided by the number of features instead of its root.

    Next: look for the root in the formula.
    """
    return [[0.307, 0.186, 0.506], [0.212, 0.576, 0.212]]


@misconception("HAND_OUTPUT")
def hand_output_without_scale() -> list[list[float]]:
    """The weights are those of dot products that were not divided.

    Next: use the weights of the question before.
    """
    return [[1.851, 0.899], [0.053, 1.947]]


@misconception("HAND_OUTPUT")
def hand_output_over_the_queries() -> list[list[float]]:
    """The weights that were used sum to 1 by columns instead of rows.

    Next: use the weights of the question before.
    """
    return [[2.493, 1.119], [0.507, 1.881]]


@misconception("HAND_OUTPUT")
def hand_output_scores_as_weights() -> list[list[float]]:
    """The values were mixed with the scores instead of the weights.

    Next: apply the softmax first.
    """
    return [[5, 2], [0, 4]]


@misconception("HAND_OUTPUT")
def hand_output_plain_average() -> list[list[float]]:
    """All values have the same weight, as if every key fitted as well as the others.

    Next: use the weights of the question before.
    """
    return [[1, 1], [1, 1]]


@misconception("HAND_OUTPUT")
def hand_output_largest_only() -> list[list[float]]:
    """Only the value with the largest weight was taken.

    Next: the others have a weight too.
    """
    return [[2, 1], [0, 2]]


@misconception("HAND_OUTPUT")
def hand_output_columns_swapped() -> list[list[float]]:
    """The two features are swapped.

    Next: column 0 of the output comes from column 0 of the values.
    """
    return [[0.845, 1.575], [1.680, 0.320]]


@misconception("HAND_OUTPUT")
def hand_output_not_normalised() -> list[list[float]]:
    """The values were mixed with exponentials that were not divided by their sum.

    Next: use the weights of the question before.
    """
    return [[17.496, 9.389], [3, 15.778]]


@misconception("DOT_PRODUCT_VARIANCE")
def dot_product_variance_standard_deviation() -> int:
    """A root was taken, and roots do not add up.

    Next: what is the variance of one term, and how many terms are there?
    """
    return 8


@misconception("DOT_PRODUCT_VARIANCE")
def dot_product_variance_as_one_feature() -> int:
    """This is the variance of one term of the sum.

    Next: how many such terms does the dot product add up?
    """
    return 1


@misconception("DOT_PRODUCT_VARIANCE")
def dot_product_variance_divided() -> float:
    """Something was divided by the number of features, but nothing has been divided yet.

    Next: each term adds to the variance, none takes from it.
    """
    return 1 / 64


@misconception("DOT_PRODUCT_VARIANCE")
def dot_product_variance_squared() -> int:
    """The number of features was squared.

    Next: the variance of a sum of independent terms is the sum of their variances.
    """
    return 4096


@misconception("DOT_PRODUCT_VARIANCE")
def dot_product_variance_twice() -> int:
    """Both vectors were counted, but a product of two features is one term.

    Next: how many terms does the dot product add up?
    """
    return 128


@misconception("DOT_PRODUCT_VARIANCE")
def dot_product_variance_zero() -> int:
    """This is the mean of the dot product, not its variance.

    Next: the mean says where it lies, the variance how far it spreads.
    """
    return 0


@misconception("SHUFFLED_TOKENS")
def shuffled_tokens_a() -> str:
    """Each row stays as it is only if its own token does; but the queries move too.

    Next: follow one token: where does its query stand after the shuffle?
    """
    return "a"


@misconception("SHUFFLED_TOKENS")
def shuffled_tokens_b() -> str:
    """Nothing makes the outputs the same: each query still asks something else.

    Next: follow one token: does its query change?
    """
    return "b"


@misconception("SHUFFLED_TOKENS")
def shuffled_tokens_d() -> str:
    """Neighbours do not matter: without positions, a key fits wherever it stands.

    Next: does a score depend on where the key stands?
    """
    return "d"


@misconception("SHUFFLED_TOKENS")
def shuffled_tokens_e() -> str:
    """The outputs are averages with these weights, and belong to the queries, which move too.

    Next: follow one token: where does its output stand after the shuffle?
    """
    return "e"


@misconception("CAUSAL_MASK_HIDES")
def causal_mask_hides_a() -> str:
    """This would hide what has been read already.

    Next: which words must one not see in order to guess the next one?
    """
    return "a"


@misconception("CAUSAL_MASK_HIDES")
def causal_mask_hides_c() -> str:
    """The first token would see nothing then.

    Next: look at the diagonal of the mask.
    """
    return "c"


@misconception("CAUSAL_MASK_HIDES")
def causal_mask_hides_d() -> str:
    """That is the padding mask's work.

    Next: the causal mask does not know the lengths.
    """
    return "d"


@misconception("CAUSAL_MASK_HIDES")
def causal_mask_hides_e() -> str:
    """A mask hides keys from a query; queries do not see each other at all.

    Next: what do rows and columns of the mask stand for?
    """
    return "e"


@misconception("BERT")
def bert_decoder() -> str:
    """BERT does not write word after word: it fills gaps in a text that it sees as a whole.

    Next: which kind of block may look at the whole text?
    """
    return "decoder"


@misconception("BERT")
def bert_both() -> str:
    """BERT has only one text and writes no other.

    Next: is there a second text that would need the other kind?
    """
    return "both"


@misconception("GPT")
def gpt_encoder() -> str:
    """GPT guesses the next word, so it must not see what comes later.

    Next: which kind of block has a causal mask?
    """
    return "encoder"


@misconception("GPT")
def gpt_both() -> str:
    """GPT has no other text beside the one that it writes.

    Next: is there a second text that would need the other kind?
    """
    return "both"


@misconception("T5")
def t5_encoder() -> str:
    """This is not all that T5 learnt to do.

    Next: count the texts, and what is done with each.
    """
    return "encoder"


@misconception("T5")
def t5_decoder() -> str:
    """This is not all that T5 learnt to do.

    Next: count the texts, and what is done with each.
    """
    return "decoder"


@misconception("CROSS_ATTENTION")
def cross_attention_all() -> list[str]:
    """These are not the models in which one text looks at another.

    Next: count the texts of each model.
    """
    return ["BERT", "GPT", "T5"]


@misconception("CROSS_ATTENTION")
def cross_attention_none() -> list[str]:
    """These are not the models in which one text looks at another.

    Next: count the texts of each model.
    """
    return []


@misconception("CROSS_ATTENTION")
def cross_attention_bert() -> list[str]:
    """These are not the models in which one text looks at another.

    Next: count the texts of each model.
    """
    return ["BERT"]


@misconception("CROSS_ATTENTION")
def cross_attention_gpt() -> list[str]:
    """These are not the models in which one text looks at another.

    Next: count the texts of each model.
    """
    return ["GPT"]


@misconception("CROSS_ATTENTION")
def cross_attention_bert_too() -> list[str]:
    """These are not the models in which one text looks at another.

    Next: count the texts of each model.
    """
    return ["BERT", "T5"]


@misconception("CROSS_ATTENTION")
def cross_attention_gpt_too() -> list[str]:
    """These are not the models in which one text looks at another.

    Next: count the texts of each model.
    """
    return ["GPT", "T5"]


@misconception("CROSS_ATTENTION")
def cross_attention_bert_and_gpt() -> list[str]:
    """These are not the models in which one text looks at another.

    Next: count the texts of each model.
    """
    return ["BERT", "GPT"]


@misconception("CROSSOVER_LENGTH")
def crossover_length_of_the_other_model() -> int:
    """This is the length for d = 768.

    Next: work it out for the d of the question.
    """
    return 4608


@misconception("CROSSOVER_LENGTH")
def crossover_length_half() -> int:
    """Attention costs less than the maps at this length: a term was counted differently on the two sides, or the
    hidden layer was taken to be as wide as d.

    Next: count both sides with two operations for a term, and the hidden layer with its own width.
    """
    return 3072


@misconception("CROSSOVER_LENGTH")
def crossover_length_hidden_width() -> int:
    """This is the width of the hidden layer.

    Next: the four projections count as well.
    """
    return 4096


@misconception("CROSSOVER_LENGTH")
def crossover_length_off_by_one() -> int:
    """This is not the first length at which attention costs as much as the maps.

    Next: work out both counts at your length, and one token earlier.
    """
    return 6145


@misconception("CROSSOVER_LENGTH")
def crossover_length_one_too_few() -> int:
    """This is not the first length at which attention costs as much as the maps.

    Next: work out both counts at your length, and one token earlier.
    """
    return 6143


@misconception("CROSSOVER_LENGTH")
def crossover_length_twice() -> int:
    """Attention makes scores and averages, and only one of them was counted, or half of the operations.

    Next: count both products of attention, with two operations for a term.
    """
    return 12288


@misconception("CROSSOVER_LENGTH")
def crossover_length_width() -> int:
    """This is d itself.

    Next: write both counts as an equation and solve it for n.
    """
    return 1024
