"""The page in a real browser: every switch, links, markup, long sentences, keyboard, phone, accessibility."""

import json
import re
from importlib import resources
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

from tests.playground.conftest import Tab

IT = "“it” reads “animal” most (97 %), then “street” (1 %)."
AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
STATES = [
    {},
    {"theme": "dark", "mask": "causal", "positions": "on", "heads": 4, "head": 4},
    {"mask": "padding", "scaling": "off", "sentence": "one unknown wuggle", "pick": 1},
    {"view": "two"},
    {"view": "two", "theme": "dark", "last": "wide", "first": "off"},
    {"sentence": " ".join(["the dog bites the tired man"] * 5)},
]


def test_it_begins_with_the_lessons_own_sentence(static: Tab) -> None:
    static.open()
    page = static.page
    expect(page.locator("#summary")).to_have_text(IT)
    expect(page.locator("#asks")).to_have_text("“Who is meant?” Here “it” asks for thing × 6, alive × 18.")
    expect(page.locator("#readout")).to_contain_text("weight 0.970. Score: thing 6 + alive 18 = 24, divided by √16: 6.")
    assert static.weights()[7] == ["0.00", "0.97", "0.00", "0.00", "0.00", "0.01", "0.00", "0.00", "0.00", "0.00"]
    expect(page.locator("#map tr.picked th")).to_have_text("it")
    assert static.settings() == ""


def test_a_sentence_is_edited(static: Tab) -> None:
    page = static.open().page
    page.get_by_label("Type your own").fill("the dog saw a wuggle")
    expect(page.locator("#words label bdi")).to_have_text(["the", "dog", "saw", "a", "wuggle"])
    assert len(static.weights()) == 5
    assert parse_qs(static.settings())["sentence"] == ["the dog saw a wuggle"]
    expect(page.locator("#features tr", has_text="wuggle")).to_contain_text("Nobody has written features for this word")
    expect(page.locator("#features tr", has_text="dog")).to_contain_text("A dog is a thing, and it lives.")
    page.get_by_label("Type your own").fill("  ")
    expect(page.get_by_role("alert")).to_contain_text("The sentence is empty: type at least one word.")
    page.get_by_label("Type your own").fill("dog")
    expect(page.locator("#summary")).to_have_text("“dog” sees only “dog” and reads nothing else.")


def test_a_word_is_picked(static: Tab) -> None:
    page = static.open().page
    page.get_by_role("radio", name="cross", exact=True).check()
    expect(page.locator("#summary")).to_have_text("“cross” reads “animal” most (84 %), then “street” (4 %).")
    expect(page.locator("#map tr.picked th")).to_have_text("cross")
    assert static.settings() == "pick=4"
    widths = page.locator("#words path").evaluate_all("paths => paths.map(p => Number(p.getAttribute('stroke-width')))")
    assert len(widths) == 10
    assert widths == sorted(widths)
    assert max(widths) > 5 * min(widths)
    page.locator("#map tbody tr").nth(1).locator("td").first.click()
    expect(page.locator("#map tr.picked th")).to_have_text("animal")


def test_masks(static: Tab) -> None:
    page = static.open(pick=3).page
    page.get_by_label("Later words").check()
    for query, row in enumerate(static.weights()):
        assert row[query + 1 :] == ["hidden"] * (9 - query)
        assert sum(float(weight) for weight in row[: query + 1]) == pytest.approx(1, abs=0.06)
    expect(page.locator("#summary")).to_have_text("“didn't” reads the 3 words that it may see alike: 33 % each.")
    page.get_by_label("Padding").check()
    assert static.settings() == "pick=3&mask=padding"
    expect(page.locator("#words label bdi")).to_have_count(13)
    assert all(row[10:] == ["hidden"] * 3 and "hidden" not in row[:10] for row in static.weights())
    page.get_by_label("Nothing").check()
    assert "hidden" not in static.weights()[0]


def test_scaling(static: Tab) -> None:
    page = static.open(pick=4).page
    page.get_by_label("Scale the scores").uncheck()
    expect(page.locator("#summary")).to_have_text("“cross” reads “animal” most (100 %).")
    expect(page.locator("#readout")).to_contain_text("thing 16 + alive 48 = 64, divided by √16: 16.")
    assert static.settings() == "pick=4&scaling=off"


def test_positions(static: Tab) -> None:
    page = static.open(sentence="the dog bites the man", pick=3).page
    without = static.weights()
    assert without[0] == without[3]
    assert all(row[0] == row[3] for row in without)
    page.get_by_label("Tell words where they stand").check()
    with_positions = static.weights()
    assert with_positions[0] != with_positions[3]
    expect(page.locator("#asks")).to_contain_text("places near its own")


def test_heads(static: Tab) -> None:
    page = static.open(positions="on").page
    expect(page.locator("#head")).to_be_hidden()
    page.locator("#heads-4").check()
    page.get_by_label("Which word came before?").check()
    expect(page.locator("#summary")).to_contain_text("“it” reads “because” most (96 %)")
    assert static.settings() == "positions=on&heads=4&head=4"
    expect(page.locator("#head-2-help")).to_contain_text("reads “cross” most")
    page.locator("#heads-2").check()
    assert static.settings() == "positions=on&heads=2&head=2"
    expect(page.locator("#summary")).to_contain_text("“it” reads “cross” most")


def test_a_link_leads_to_its_settings_and_a_wrong_one_does_no_harm(static: Tab) -> None:
    page = static.open(
        sentence="the man bites the dog", pick=2, mask="causal", scaling="off", positions="on", heads=3, head=2
    ).page
    expect(page.locator("#map tr.picked th")).to_have_text("man")
    for label in ("Later words", "Tell words where they stand", "What happens?"):
        expect(page.get_by_label(label)).to_be_checked()
    expect(page.get_by_label("Scale the scores")).not_to_be_checked()
    static.open(mask="all", heads="1e9", head="-1", pick="99", view="<b>", theme="pink", first="maybe", last="x" * 999)
    expect(page.locator("#summary")).to_contain_text("“it” reads “animal” most")
    page.goto(f"{static.address}#%E0%A4%A&pick=%00&sentence=%ff")
    expect(page.locator("#map tbody tr")).to_have_count(1)


def test_the_examples_are_links(static: Tab) -> None:
    page = static.open().page
    for link in page.locator(".starts a").all():
        link.click()
        expect(page.locator("#one")).to_be_visible()
        expect(page.locator("#trouble")).to_be_hidden()
        wanted = (link.get_attribute("href") or "").lstrip("#")
        page.reload()
        assert parse_qs(static.settings()) == parse_qs(wanted)
        expect(page.locator("#summary")).not_to_be_empty()


def test_markup_is_only_text(static: Tab) -> None:
    hostile = "<img/src=x/onerror=window.hit=1> <script>window.hit=1</script> \"'&amp;<b>bold</b> __proto__ constructor"
    page = static.open(sentence=hostile, pick=1).page
    expect(page.locator("#words label bdi").first).to_have_text("<img/src=x/onerror=window.hit=1>")
    expect(page.locator("#features tbody tr")).to_have_count(5)
    assert page.locator("main img, main script, main b").count() == 0
    for i in range(5):
        page.locator("#words input").nth(i).check()
    page.locator("#map td").first.hover()
    assert page.evaluate("window.hit") is None


def test_sixty_words_and_no_more(static: Tab) -> None:
    page = static.open(sentence=" ".join(f"w{i}" for i in range(75))).page
    expect(page.locator("#words label")).to_have_count(60)
    expect(page.locator("#map td")).to_have_count(3600)
    expect(page.locator("#sentence-count")).to_have_text("Only the first 60 of 75 words are used.")
    page.get_by_label("Type your own").fill("x" * 600)
    expect(page.locator("#words label bdi")).to_have_text(["x" * 40])


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("settings", STATES)
def test_a_phone_scrolls_in_one_direction(static: Tab, settings: dict[str, str | int], width: int) -> None:
    static.page.set_viewport_size({"width": width, "height": 700})
    static.open(**settings)
    assert static.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_phone_can_do_without_a_mouse_over(static: Tab) -> None:
    static.page.set_viewport_size({"width": 320, "height": 700})
    page = static.open().page
    page.get_by_role("radio", name="cross", exact=True).check()
    expect(page.locator("#summary")).to_contain_text("“cross” reads “animal” most")
    page.locator("#map tbody tr").nth(7).locator("td").nth(5).click()
    expect(page.locator("#map tr.picked th")).to_have_text("it")


def test_a_table_that_goes_on_shows_it(static: Tab) -> None:
    page = static.page
    page.set_viewport_size({"width": 1280, "height": 800})
    static.open()
    edges, more = page.locator("#map-edges"), page.locator("#map-more")
    shadow = "getComputedStyle(document.getElementById('map-edges'), '::after').opacity"
    inner = (
        "(e => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth])(document.getElementById('map-scroll'))"
    )
    assert page.evaluate(inner) == [0, 0]
    assert page.evaluate(shadow) == "0"
    expect(more).to_be_hidden()
    page.set_viewport_size({"width": 360, "height": 800})
    expect(more).to_be_visible()
    assert page.evaluate(shadow) == "1"
    assert page.evaluate(inner)[0] == 0
    expect(edges).to_have_class("edges goes-on")
    page.locator('#map td[tabindex="0"]').focus()
    page.keyboard.press("End")
    expect(edges).to_have_class("edges has-gone")
    assert page.evaluate(shadow) == "0"
    page.keyboard.press("Home")
    expect(edges).to_have_class("edges goes-on")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([0, 0, 0], "The weights of “a” are all 0, and they must add up to 1."),
        ([None, 1, 0], "The weights of “a” are not numbers."),
        ([0.5, 0.5, 0.5], "The weights of “a” add up to 1.5, and they must add up to 1."),
        ([1.5, -0.5, 0], "A weight of “a” is below 0, and none may be."),
        ([0.4, 0.4, 0.2], "“a” reads “a” and “b” most, 40 % each."),
        ([0.8, 0.2, 0], "“a” reads “a” most (80 %), then “b” (20 %)."),
    ],
)
def test_a_row_that_cannot_be_is_not_read(static: Tab, row: list[float | None], words: str) -> None:
    page = static.open().page
    said = page.evaluate("row => summary(['a', 'b', 'c'], 0, row, null)", row)
    assert said.replace("\u00a0", " ") == words
    hidden = page.evaluate("summary(['a', 'b', 'c'], 0, [0.5, 0, 0.5], [true, true, false])")
    assert hidden.replace("\u00a0", " ") == "“a” reads “c” (50 %), which the mask hides from it."


def test_words_that_are_read_alike_are_all_counted(static: Tab) -> None:
    page = static.open(sentence="the dog sees the dog and the cat", pick=2, heads=2).page
    expect(page.locator("#summary")).to_have_text("“dog” (word 2) reads 3 words most, 31 % each.")
    expect(page.locator("#head-1-help")).to_have_text("reads “dog” (word 2) and 2 more most: 31 %")


def test_everything_can_be_done_with_the_keyboard(static: Tab) -> None:
    page = static.open().page
    press = page.keyboard.press

    def tab_to(selector: str) -> None:
        for _ in range(40):
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            press("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    tab_to("#sentence")
    press("Control+a")
    page.keyboard.type("the animal is hungry because it")
    tab_to("#words input")
    press("ArrowLeft")
    expect(page.locator("#map tr.picked th")).to_have_text("because")
    press("ArrowRight")
    expect(page.locator("#summary")).to_contain_text("“it” reads “animal” most")
    tab_to("#mask-none")
    press("ArrowDown")
    expect(page.get_by_label("Later words")).to_be_checked()
    tab_to("#scaling")
    press("Space")
    expect(page.get_by_label("Scale the scores")).not_to_be_checked()
    tab_to("#positions")
    press("Space")
    tab_to("#heads-1")
    press("ArrowRight")
    tab_to("#head-1")
    press("ArrowDown")
    expect(page.locator("#asks")).to_contain_text("“What happens?”")
    tab_to("#map td")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        press(key)
    expect(page.locator("#readout")).to_contain_text("“is” reads “animal”: weight")
    press("Enter")
    expect(page.locator("#map tr.picked th")).to_have_text("is")
    assert page.evaluate("document.activeElement.dataset.cell") == "2 1"
    press("End")
    assert page.evaluate("document.activeElement.dataset.cell") == "2 5"
    press("Shift+Tab")
    assert page.evaluate("document.activeElement.closest('#map')") is None


def test_every_control_has_a_label_and_a_help_text_of_its_own(static: Tab) -> None:
    page = static.open(heads=4).page
    controls = page.locator("input:not([name=word]), textarea, select").all()
    assert len(controls) == 18
    for control in controls:
        found = control.evaluate(
            "e => [e.labels.length && e.labels[0].textContent.trim(), "
            "(e.getAttribute('aria-describedby') || '').split(' ').map(id => document.getElementById(id)?.textContent)]"
        )
        assert found[0], control
        assert found[1][0], control


def test_one_look_cannot_tell_and_two_can(static: Tab) -> None:
    page = static.open(view="two").page
    verdict = page.locator("#look-second-summary")
    expect(verdict).to_have_text("“it” is the animal: animal 98 %, street 2 %.")
    expect(page.locator("#look-first-summary")).to_contain_text("“it” reads “tired” most")
    expect(page.locator("#knows")).to_contain_text("of the living")
    page.get_by_label("… it was wide").check()
    expect(verdict).to_have_text("“it” is the street: animal 2 %, street 98 %.")
    expect(page.locator("#knows")).to_contain_text("of places")
    page.get_by_label("Take it").uncheck()
    expect(verdict).to_have_text("“it” cannot tell the animal from the street: animal 49 %, street 49 %.")
    page.get_by_label("… it was tired").check()
    expect(verdict).to_have_text("“it” cannot tell the animal from the street: animal 49 %, street 49 %.")
    assert static.settings() == "view=two&first=off"
    page.get_by_role("link", name="even where the street was wide").click()
    expect(page.locator("#summary")).to_contain_text("“it” reads “animal” most")


def test_the_page_says_that_nobody_trained_it(static: Tab) -> None:
    section = static.open().page.get_by_role("region", name="Where the features come from")
    expect(section).to_contain_text("written by hand")
    reasons = section.locator("tbody tr").all_inner_texts()
    assert len(reasons) == 9
    assert all(reason.rstrip().endswith(".") for reason in reasons)


def test_colours_follow_the_device_until_somebody_chooses(static: Tab) -> None:
    page = static.page
    background = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    static.open()
    light = page.evaluate(background)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(background)
    assert dark != light
    page.get_by_label("Colours").select_option("light")
    assert page.evaluate(background) == light
    assert static.settings() == "theme=light"
    page.get_by_role("link", name="Two looks").click()
    expect(page.locator("#two")).to_be_visible()
    assert page.evaluate(background) == light


def test_nothing_moves_for_those_who_ask_for_it(static: Tab) -> None:
    static.page.emulate_media(reduced_motion="reduce")
    page = static.open().page
    durations = page.evaluate("[...document.querySelectorAll('*')].map(e => getComputedStyle(e).transitionDuration)")
    assert set(durations) == {"0s"}


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("settings", STATES, ids=lambda state: json.dumps(state)[:40])
def test_axe_finds_no_violation(static: Tab, settings: dict[str, str | int], width: int) -> None:
    page = static.page
    page.emulate_media(reduced_motion="reduce")  # no colour halfway through its change
    page.set_viewport_size({"width": width, "height": 900})
    static.open(**settings)
    page.evaluate(f"() => {{ {AXE} }}")
    found = page.evaluate("async () => (await axe.run({ resultTypes: ['violations'] })).violations")
    assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]][:3]) for rule in found] == []


def test_the_page_names_no_other_host(static: Tab) -> None:
    text = static.open().page.content()
    allowed = {"http://www.w3.org/2000/svg"}  # the name of a language, not an address that is asked for anything
    assert set(re.findall(r"https?://[\w./-]+", text)) <= allowed
