"""Is the answer right? The answers are not here: the test knows a right one by its digest when it sees it."""

from checking import assert_answer


def test_scores_shape(SCORES_SHAPE):
    """Which shape do the scores have?"""
    assert_answer(SCORES_SHAPE, "a shape", "ee5c214e43a9e371")


def test_output_shape(OUTPUT_SHAPE):
    """Which shape does the output have?"""
    assert_answer(OUTPUT_SHAPE, "a shape", "a4bf4d5068d83c02")


def test_hand_scores(HAND_SCORES):
    """Which scores go into the softmax?"""
    assert_answer(
        HAND_SCORES,
        "2 rows of 3 numbers",
        "bd87ad5775955638",
        "eccd536b518b0481",
        "866791f6cc46f080",
        "149c94088ce258f4",
        "f994a5bd12c06044",
        "a30ac3cd3bab7786",
    )


def test_hand_weights(HAND_WEIGHTS):
    """Which weights does the softmax make of your scores?"""
    assert_answer(
        HAND_WEIGHTS,
        "2 rows of 3 numbers, to three decimals",
        "b1c74f6614931532",
        "91aab204027920f5",
        "b52a70830f0cdbf3",
        "67180e5925dd5871",
        "ec4f588052c90992",
        "a6529d92a011f59d",
    )


def test_hand_output(HAND_OUTPUT):
    """Which output do the weights make of the values?"""
    assert_answer(
        HAND_OUTPUT,
        "2 rows of 2 numbers, to three decimals",
        "808439b666d1f16a",
        "f4f0786741a21eed",
        "d09d5ab2a9edf272",
        "dbde15c2a6a8ac7b",
    )


def test_dot_product_variance(DOT_PRODUCT_VARIANCE):
    """What is the variance of the dot product?"""
    assert_answer(DOT_PRODUCT_VARIANCE, "a number", "b556724eb1f526ad")


def test_shuffled_tokens(SHUFFLED_TOKENS):
    """What happens to the outputs when the tokens are shuffled?"""
    assert_answer(SHUFFLED_TOKENS, "a letter from a to e", "d9e9430608b4ac4c")


def test_causal_mask_hides(CAUSAL_MASK_HIDES):
    """What does a causal mask hide from a query?"""
    assert_answer(CAUSAL_MASK_HIDES, "a letter from a to e", "7bc0d5b5cf437947")


def test_bert(BERT):
    """Of which blocks is BERT made?"""
    assert_answer(BERT, '"encoder", "decoder" or "both"', "c368373206a04aae")


def test_gpt(GPT):
    """Of which blocks is GPT made?"""
    assert_answer(GPT, '"encoder", "decoder" or "both"', "68ef6dcb89075512")


def test_t5(T5):
    """Of which blocks is T5 made?"""
    assert_answer(T5, '"encoder", "decoder" or "both"', "61796de11785dab0")


def test_cross_attention(CROSS_ATTENTION):
    """Which of the three have cross-attention?"""
    assert_answer(CROSS_ATTENTION, "a list of names", "ea49b60cf6167a85")


def test_crossover_length(CROSSOVER_LENGTH):
    """From how many tokens on does attention cost at least as much as the maps?"""
    assert_answer(CROSSOVER_LENGTH, "a whole number", "0c897e94c2bcd461")
