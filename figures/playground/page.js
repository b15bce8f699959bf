"use strict";
// The page: settings in the address, a picture for them, and the picture on the screen.
// Text from outside is only ever set as text, never as markup.

const $ = (id) => document.getElementById(id);
const RUNS = document.documentElement.dataset.runs; // "folder" when a program serves the page, "page" when nothing does
const LIMITS = MODEL.limits;
const TEXT_TURNS_WHITE = 0.63; // the weight from which on white text reads better than black; dark mode: from black on
const TEXT_TURNS_BLACK = 0.47;
const POLL = 1000; // milliseconds

const DEFAULTS = {
  view: "one",
  sentence: "The animal didn't cross the street because it was tired.",
  pick: 8,
  mask: "none",
  scaling: true,
  positions: false,
  heads: 1,
  head: 1,
  last: "tired",
  first: true,
};

let settings = { ...DEFAULTS, theme: "system" };
let tokens = []; // the sentence's words, and blanks where they are asked for
let picture = null; // the answer to the last request, or null while there is none
let wanted = ""; // the request that the picture is for, or will be
let asked = 0; // how many pictures have been asked for: only the answer to the last is shown
let isWaiting = false; // for that answer
let typing = 0; // the timer of a sentence that is being typed, 0 when none is
let cell = { row: 0, column: 0 }; // the cell of the table that Tab leads to
let inTable = { look: null, visible: null }; // what the table of weights shows

// Settings and the address

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const choice = (name, allowed) => (allowed.includes(given.get(name)) ? given.get(name) : DEFAULTS[name]);
  const number = (name, most) => {
    const value = Number(given.get(name) ?? DEFAULTS[name]);
    return Number.isInteger(value) && value >= 1 && value <= most ? value : DEFAULTS[name];
  };
  const heads = number("heads", LIMITS.heads);
  return {
    view: choice("view", ["one", "two"]),
    sentence: (given.get("sentence") ?? DEFAULTS.sentence).slice(0, LIMITS.characters),
    pick: number("pick", LIMITS.words + MODEL.padding.length),
    mask: choice("mask", ["none", "causal", "padding"]),
    scaling: given.get("scaling") !== "off",
    positions: given.get("positions") === "on",
    heads,
    head: Math.min(number("head", LIMITS.heads), heads),
    last: choice("last", ["tired", "wide"]),
    first: given.get("first") !== "off",
    theme: ["light", "dark", "system"].includes(given.get("theme")) ? given.get("theme") : settings.theme,
  };
}

function writeAddress() {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(settings)) {
    if (name === "theme" ? value === "system" : value === DEFAULTS[name]) continue;
    given.set(name, value === true ? "on" : value === false ? "off" : value);
  }
  const hash = given.toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}

function change(part) {
  settings = { ...settings, ...part };
  writeAddress();
  update();
}

function wordsOf(sentence) {
  const words = sentence.split(/\s+/u).filter(Boolean);
  return words.map((word) => [...word].slice(0, LIMITS.letters).join(""));
}

/** The place of the word that is picked; the last word where the sentence has become too short. */
function picked() {
  return Math.max(0, Math.min(settings.pick, tokens.length) - 1);
}

// From settings to a picture

function requestFor(words) {
  if (settings.view === "two") {
    const sentence = `The animal didn't cross the street because it was ${settings.last}.`;
    const plain = { mask: "none", scaling: true, positions: false, heads: 1 };
    return { words: wordsOf(sentence), ...plain, looks: 2, first: settings.first };
  }
  const { mask, scaling, positions, heads } = settings;
  return { words, mask, scaling, positions, heads, looks: 1, first: true };
}

async function pictureFor(request) {
  if (RUNS === "page") return pictureOf(request);
  const body = JSON.stringify(request);
  const reply = await fetch("/picture", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.problem);
  return answer;
}

/** Bring everything up to date: the controls at once, the picture as soon as it is there. */
function update(anew = false) {
  const all = wordsOf(settings.sentence);
  const words = all.slice(0, LIMITS.words);
  tokens = settings.mask === "padding" && words.length ? [...words, ...MODEL.padding] : words;
  showControls(all.length);
  if (!words.length && settings.view === "one") {
    wanted = "";
    asked += 1;
    isWaiting = false;
    document.body.classList.remove("busy");
    return show({ trouble: ownTrouble("The sentence is empty: type at least one word.") });
  }
  const request = requestFor(words);
  const text = JSON.stringify(request);
  if (text === wanted && !anew) return isWaiting || show(picture);
  wanted = text;
  asked += 1;
  isWaiting = true;
  const mine = asked;
  const wait = setTimeout(() => document.body.classList.toggle("busy", mine === asked), 300);
  pictureFor(request)
    .catch((error) => ({ trouble: ownTrouble(unanswered(error)) }))
    .then((answer) => {
      clearTimeout(wait);
      if (mine !== asked) return; // the settings or the files have moved on
      isWaiting = false;
      document.body.classList.remove("busy");
      show(answer);
    });
}

/** A trouble that is the page's, not one of the student's files. */
const ownTrouble = (sentence) => ({ sentence, place: "", line: "", isPages: true });

function unanswered(error) {
  if (error instanceof TypeError) return "The program in the terminal does not answer. Start it again.";
  return error.message;
}

function show(answer) {
  picture = answer;
  const trouble = answer?.trouble;
  showTrouble(trouble);
  showList("odd-list", $("odd"), answer?.odd ?? []);
  showList("notes", $("notes"), answer?.notes ?? []);
  $("one").hidden = settings.view !== "one";
  $("two").hidden = settings.view !== "two";
  document.body.classList.toggle("without", Boolean(trouble) || !answer);
  if (settings.view === "two") return showTwo(trouble ? null : answer);
  showOne(trouble || !answer ? null : answer.heads[settings.head - 1]);
}

function showTrouble(trouble) {
  const sentence = trouble ? `${trouble.place ? `${trouble.place}: ` : ""}${trouble.sentence}` : "";
  if ($("trouble-sentence").textContent !== sentence) $("trouble-sentence").textContent = sentence;
  $("trouble-line").textContent = trouble?.line ?? "";
  $("trouble-line").hidden = !trouble?.line;
  $("trouble-next").hidden = !trouble || trouble.isPages;
  $("trouble").hidden = !trouble;
}

function showList(id, whole, sentences) {
  whole.hidden = !sentences.length;
  const list = $(id);
  if (list.textContent === sentences.join("")) return;
  list.replaceChildren(...sentences.map((sentence) => element("li", {}, sentence)));
}

// Controls

function showControls(count) {
  document.documentElement.dataset.theme = settings.theme;
  $("theme").value = settings.theme;
  for (const view of ["one", "two"]) {
    $(`view-${view}`).toggleAttribute("aria-current", settings.view === view);
    if (settings.view === view) $(`view-${view}`).setAttribute("aria-current", "page");
  }
  if (!typing && $("sentence").value !== settings.sentence) $("sentence").value = settings.sentence;
  const tooMany = count > LIMITS.words ? `Only the first ${LIMITS.words} of ${count} words are used.` : "";
  if ($("sentence-count").textContent !== tooMany) $("sentence-count").textContent = tooMany;
  for (const name of ["scaling", "positions", "first"]) $(name).checked = settings[name];
  for (const name of ["mask", "heads", "last"]) {
    document.querySelector(`input[name="${name}"][value="${settings[name]}"]`).checked = true;
  }
  showHeadChoice();
}

/** One choice for each head: its question, and what the picked word reads most by it. */
function showHeadChoice() {
  const whole = $("head");
  whole.hidden = settings.heads === 1;
  const there = whole.querySelectorAll("p");
  for (let number = there.length + 1; number <= LIMITS.heads; number++) {
    const [id, help] = [`head-${number}`, `head-${number}-help`];
    const input = element("input", { type: "radio", name: "head", id, value: number, "aria-describedby": help });
    input.addEventListener("change", () => change({ head: number }));
    const label = element("label", { for: id }, `${number}. ${MODEL.heads[number - 1].question}`);
    whole.append(element("p", { class: "option" }, input, label, element("span", { id: help, class: "help" })));
  }
  whole.querySelectorAll("p").forEach((option, i) => {
    option.hidden = i >= settings.heads;
    option.querySelector("input").checked = i + 1 === settings.head;
  });
}

function showHeadHelp(visible) {
  for (let i = 0; i < LIMITS.heads; i++) {
    const row = picture?.heads?.[i]?.weights[picked()];
    $(`head-${i + 1}-help`).textContent = row ? inShort(row, visible?.[picked()]) : "";
  }
}

function inShort(row, visible) {
  if (faultOf(tokens, picked(), row)) return "its weights cannot be right";
  const seen = row.filter((_, j) => !visible || visible[j]);
  if (seen.length > 1 && isUniform(seen)) return "reads alike all that it sees";
  const most = readMost(row);
  const others = most.length > 1 ? ` and ${most.length - 1} more` : "";
  return `reads ${quoted(tokens, most[0])}${others} most: ${percent(row[most[0]])}`;
}

// One look

function showOne(look) {
  const pick = picked();
  showStrip($("words"), tokens, pick, look?.weights[pick], true);
  const visible = visibility(tokens.length, wordsOf(settings.sentence).slice(0, LIMITS.words).length, settings.mask);
  setText("summary", look ? summary(tokens, pick, look.weights[pick], visible?.[pick]) : "");
  setText("asks", look ? asks(tokens, pick, look) : "");
  showHeadHelp(visible);
  showMap(look, visible);
  showHome(look, pick);
  showFeatures();
}

/** What cannot be right about a word's weights, in a sentence; nothing where all is well. */
function faultOf(words, reader, row) {
  const whose = `of ${quoted(words, reader)}`;
  if (!row.every(Number.isFinite)) return `The weights ${whose} are not numbers.`;
  if (row.every((weight) => weight === 0)) return `The weights ${whose} are all 0, and they must add up to 1.`;
  if (row.some((weight) => weight < 0)) return `A weight ${whose} is below 0, and none may be.`;
  const sum = row.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) > 1e-6) return `The weights ${whose} add up to ${precise(sum)}, and they must add up to 1.`;
  return "";
}

/** The words that get the largest weight, all of them where several get it alike. */
function readMost(row) {
  const highest = Math.max(...row);
  return row.flatMap((weight, j) => (highest - weight < 1e-6 ? [j] : []));
}

/** In a sentence: what a word reads most, or what is wrong with its weights. */
function summary(words, reader, row, visible) {
  const name = quoted(words, reader);
  const fault = faultOf(words, reader, row);
  if (fault) return fault;
  const seen = row.map((weight, j) => ({ weight, j })).filter(({ j }) => !visible || visible[j]);
  const hidden = row.findIndex((weight, j) => visible && !visible[j] && weight > 0);
  if (hidden >= 0) return `${name} reads ${quoted(words, hidden)} (${percent(row[hidden])}), which the mask hides from it.`;
  if (seen.length === 1) return `${name} sees only ${quoted(words, seen[0].j)} and reads nothing else.`;
  if (isUniform(seen.map(({ weight }) => weight))) {
    const all = visible && seen.length < words.length ? `the ${seen.length} words that it may see` : `all ${seen.length} words`;
    return `${name} reads ${all} alike: ${percent(seen[0].weight)} each.`;
  }
  const most = readMost(row);
  if (most.length > 1) {
    const named = most.length === 2 ? `${quoted(words, most[0])} and ${quoted(words, most[1])}` : `${most.length} words`;
    return `${name} reads ${named} most, ${percent(row[most[0]])} each.`;
  }
  const [first, second] = seen.sort((a, b) => b.weight - a.weight);
  const rest = second.weight >= 0.005 ? `, then ${quoted(words, second.j)} (${percent(second.weight)})` : "";
  return `${name} reads ${quoted(words, first.j)} most (${percent(first.weight)})${rest}.`;
}

/** In a sentence: what the picked word asks for. */
function asks(words, reader, look) {
  const wanted = NAMES.map((name, f) => [name, look.queries[reader][f]]).filter(([, strength]) => strength);
  const places = look.queries[reader].slice(NAMES.length).some(Boolean);
  const question = MODEL.heads[settings.head - 1].question;
  const where = places ? (settings.head === 4 ? "the place before its own" : "places near its own") : "";
  const cue = settings.head === 4 && !settings.positions ? " Tell words where they stand, and it can ask." : "";
  const parts = [...wanted.map(([name, strength]) => `${name} × ${round(strength)}`), where].filter(Boolean);
  return parts.length
    ? `“${question}” Here ${quoted(words, reader)} asks for ${parts.join(", ")}.`
    : `“${question}” Here ${quoted(words, reader)} asks for nothing, so every word fits equally well.${cue}`;
}

/** The words in a row that wraps, the amounts that one of them takes from each, and arcs to them. */
function showStrip(whole, words, pick, amounts, choosable) {
  const key = JSON.stringify(words);
  if (whole.dataset.words !== key) {
    const focused = whole.contains(document.activeElement);
    whole.dataset.words = key;
    whole.querySelector(".chips")?.remove();
    whole.querySelector("svg")?.remove();
    const arcs = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    arcs.setAttribute("aria-hidden", "true");
    whole.append(arcs, element(choosable ? "div" : "ol", { class: "chips" }, ...words.map(choosable ? chosen : listed)));
    if (focused && words.length) $(`word-${pick + 1}`)?.focus();
  }
  whole.querySelectorAll(".chip").forEach((chip, i) => {
    const input = chip.querySelector("input");
    if (input) input.checked = i === pick;
    chip.classList.toggle("picked", i === pick);
    colour(chip, amounts ? amounts[i] : 0);
    chip.querySelector(".amount").textContent = amounts ? percent(amounts[i]) : "";
  });
  drawArcs(whole, pick, amounts);
}

function chosen(word, i) {
  const id = `word-${i + 1}`;
  const input = element("input", { type: "radio", name: "word", id, value: i + 1 });
  input.addEventListener("change", () => change({ pick: i + 1 }));
  const amount = element("span", { class: "amount", "aria-hidden": "true" });
  return element("span", { class: "chip" }, input, element("label", { for: id }, element("bdi", {}, word), amount));
}

function listed(word) {
  return element("li", { class: "chip" }, element("bdi", {}, word), " ", element("span", { class: "amount" }));
}

function drawArcs(whole, pick, amounts) {
  const svg = whole.querySelector("svg");
  const frame = whole.getBoundingClientRect();
  const chips = [...whole.querySelectorAll(".chip")].map((chip) => chip.getBoundingClientRect());
  if (!amounts || !chips.length || !frame.width) return svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  const middle = (box) => (box.left + box.right) / 2 - frame.left;
  const from = chips[pick];
  const order = amounts.map((_, i) => i).sort((a, b) => amounts[a] - amounts[b]);
  const arcs = order.filter((i) => amounts[i] >= 0.005).map((i) => {
    const [x, y, toX, toY] = [middle(from), from.top - frame.top, middle(chips[i]), chips[i].top - frame.top];
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const isFirstRow = from.top - chips[0].top < 4; // above the others there are words
    const rise = Math.min(y, 36 + Math.abs(toX - x) * 0.26, isFirstRow ? 118 : 48);
    const [under, toUnder] = [from.bottom - frame.top, chips[i].bottom - frame.top];
    let curve = `M${x} ${y}C${x} ${y - rise} ${toX} ${toY - rise} ${toX} ${toY}`;
    if (i === pick) curve = `M${x - 9} ${y}C${x - 26} ${y - 34} ${x + 26} ${y - 34} ${x + 9} ${y}`;
    else if (toY > y + 4) curve = `M${x} ${under}C${x} ${under + 44} ${toX} ${toY - 44} ${toX} ${toY}`;
    else if (toY < y - 4) curve = `M${x} ${y}C${x} ${y - 44} ${toX} ${toUnder + 44} ${toX} ${toUnder}`;
    path.setAttribute("d", curve);
    path.setAttribute("stroke-width", (1 + 9 * Math.min(amounts[i], 1)).toFixed(2));
    path.setAttribute("stroke-opacity", (0.3 + 0.7 * Math.min(amounts[i], 1)).toFixed(2));
    return path;
  });
  svg.replaceChildren(...arcs);
}

// The table of all weights

function showMap(look, visible) {
  const table = $("map");
  const n = tokens.length;
  const key = JSON.stringify(tokens);
  if (table.dataset.words !== key) {
    table.dataset.words = key;
    buildMap(table);
  }
  sizeMap(table, n);
  cell = { row: Math.min(cell.row, n - 1), column: Math.min(cell.column, n - 1) };
  [...table.tBodies[0].rows].forEach((row, i) => {
    row.classList.toggle("picked", i === picked());
    [...row.querySelectorAll("td")].forEach((td, j) => {
      const weight = look ? look.weights[i][j] : 0;
      const hidden = Boolean(visible && !visible[i][j]);
      td.classList.toggle("hidden", hidden && weight === 0);
      colour(td, weight);
      td.firstChild.textContent = !look ? "" : hidden && weight === 0 ? "hidden" : fixed(weight);
      td.tabIndex = i === cell.row && j === cell.column ? 0 : -1;
    });
  });
  inTable = { look, visible };
  if (table.contains(document.activeElement)) showReadout(cell.row, cell.column);
  else showReadout();
}

/** Cells as large as there is room for; small ones show their number only when they are pointed at. */
function sizeMap(table, n) {
  const labels = table.tBodies[0].rows[0]?.querySelector("th").offsetWidth ?? 0;
  const least = n > 26 ? 15 : n > 18 ? 22 : 34;
  const size = Math.max(least, Math.min(60, Math.floor(($("map-scroll").clientWidth - labels) / (n + 0.2)) - 3));
  table.style.setProperty("--cell", `${size}px`);
  table.classList.toggle("dense", size < 34);
  table.classList.toggle("tiny", size < 20);
  showEdges();
}

/** Show at which edges the table goes on. */
function showEdges() {
  const { scrollLeft, scrollWidth, clientWidth } = $("map-scroll");
  $("map-edges").classList.toggle("has-gone", scrollLeft > 1);
  $("map-edges").classList.toggle("goes-on", scrollLeft + clientWidth < scrollWidth - 1);
  $("map-more").hidden = scrollWidth <= clientWidth + 1;
}

function buildMap(table) {
  const word = (i) => element("span", { class: "word" }, element("bdi", {}, tokens[i]));
  const corner = element("th", { class: "corner", scope: "col" }, element("span", {}, "reads ↓"), element("span", {}, "is read →"));
  const top = tokens.map((_, j) => element("th", { scope: "col" }, word(j)));
  const rows = tokens.map((_, i) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, word(i)),
      ...tokens.map((_, j) => element("td", { "data-cell": `${i} ${j}`, tabindex: -1 }, element("span", {}))),
    ),
  );
  table.replaceChildren(element("thead", {}, element("tr", {}, corner, ...top)), element("tbody", {}, ...rows));
}

function pointed(event, then) {
  const at = event.target.closest?.("td")?.dataset.cell;
  if (at) then(...at.split(" ").map(Number));
}

function moveInMap(event) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const last = tokens.length - 1;
  pointed(event, (row, column) => {
    if (event.key in steps) {
      const [down, right] = steps[event.key];
      row = Math.max(0, Math.min(row + down, last));
      column = Math.max(0, Math.min(column + right, last));
    } else if (event.key === "Home" || event.key === "End") column = event.key === "Home" ? 0 : last;
    else if (event.key === "Enter" || event.key === " ") change({ pick: row + 1 });
    else return;
    event.preventDefault();
    cellAt(row, column).focus();
  });
}

/** The cell that Tab leads to from now on. */
function leadTo(row, column) {
  $("map").querySelector('td[tabindex="0"]').tabIndex = -1;
  cell = { row, column };
  cellAt(row, column).tabIndex = 0;
}

const cellAt = (row, column) => $("map").tBodies[0].rows[row].querySelectorAll("td")[column];

/** The arithmetic of one cell; without a cell, of what the picked word reads most. */
function showReadout(row, column) {
  const { look, visible } = inTable;
  if (!look) return setText("readout", "");
  if (row === undefined) {
    row = picked();
    if (faultOf(tokens, row, look.weights[row])) return setText("readout", "");
    [column] = readMost(look.weights[row]);
  }
  const names = `${quoted(tokens, row)} reads ${quoted(tokens, column)}`;
  const weight = fixed(look.weights[row][column], 3);
  if (visible && !visible[row][column]) return setText("readout", `${names}: weight ${weight}, hidden by the mask.`);
  const [query, key] = [look.queries[row], look.keys[column]];
  const terms = NAMES.map((name, f) => [name, query[f] * key[f]]).filter(([, term]) => term);
  const near = dot(query.slice(NAMES.length), key.slice(NAMES.length));
  if (near) terms.push(["position", near]);
  const total = terms.reduce((sum, [, term]) => sum + term, 0);
  const sum = terms.map(([name, term]) => `${name} ${round(term)}`).join(" + ") + (terms.length > 1 ? ` = ${round(total)}` : "");
  const score = terms.length ? `Score: ${sum}, divided by √16: ${round(total / 4)}.` : "Score: 0, nothing that it asks for is there.";
  setText("readout", `${names}: weight ${weight}. ${score}`);
}

// What it takes home, and where features come from

function showHome(look, pick) {
  if (!tokens.length) return;
  const name = quoted(tokens, pick);
  setText("home-help", `The output: the average of all words’ features, by how much ${name} reads each.`);
  const [own] = wordFeatures([tokens[pick]]);
  const columns = [["itself", own], ["takes home", look ? look.output[pick] : NAMES.map(() => 0)]];
  showBars($("home"), columns);
}

/** A row for each feature; when ``brief``, only for those that are not 0 everywhere. */
function showBars(table, columns, brief = false) {
  const heading = element("tr", {}, element("th", { scope: "col" }, "feature"));
  heading.append(...columns.map(([name]) => element("th", { scope: "col" }, name)));
  const rows = MODEL.features.flatMap(({ name, meaning }, f) => {
    if (brief && columns.every(([, values]) => Math.abs(values[f] ?? 1) < 0.005)) return [];
    const label = element("th", { scope: "row" }, name, element("span", { class: "help" }, meaning));
    return [element("tr", {}, label, ...columns.map(([, values]) => bar(values[f])))];
  });
  table.replaceChildren(element("thead", {}, heading), element("tbody", {}, ...rows));
}

function bar(value) {
  const length = element("span", { class: "bar" });
  length.style.setProperty("--w", Math.max(0, Math.min(value ?? 0, 1)));
  return element("td", { class: value ? "" : "nil" }, element("span", {}, fixed(value)), length);
}

function showFeatures() {
  const table = $("features");
  const distinct = [...new Map(tokens.map((token) => [plainWord(token), token])).values()];
  const key = JSON.stringify(distinct);
  if (table.dataset.words === key) return;
  table.dataset.words = key;
  const heading = ["word", "its features, and why"].map((name) => element("th", { scope: "col" }, name));
  const rows = distinct.map((token) => {
    const known = knownWord(token);
    const blank = MODEL.padding.includes(token);
    const unknown = "Nobody has written features for this word. It stays neutral: it asks for nothing and offers nothing.";
    const features = known?.features.length ? known.features : ["none"];
    const tags = features.map((name) => element("span", { class: name === "none" ? "tag none" : "tag" }, name));
    const reason = blank ? "A blank that fills the sentence up." : (known?.why ?? unknown);
    const word = element("th", { scope: "row" }, element("bdi", {}, blank ? token : plainWord(token) || token));
    const both = [element("span", { class: "tags" }, ...tags), element("span", { class: "reason" }, reason)];
    return element("tr", { class: known || blank ? "" : "unknown" }, word, element("td", {}, element("div", {}, ...both)));
  });
  table.replaceChildren(element("thead", {}, element("tr", {}, ...heading)), element("tbody", {}, ...rows));
}

// Two looks

function showTwo(answer) {
  const words = requestFor([]).words;
  const it = words.indexOf("it");
  const [first, second] = !answer ? [null, null] : settings.first ? answer.heads : [null, answer.heads[0]];
  $("look-first").classList.toggle("skipped", !settings.first);
  showStrip($("look-first-words"), words, it, first?.weights[it], false);
  setText("look-first-summary", first ? summary(words, it, first.weights[it]) : answer ? "Not taken." : "");
  const [own] = wordFeatures(["it"]);
  const found = first ? first.output[it] : NAMES.map(() => 0);
  showBars($("knows"), [["by itself", own], ["found", found], ["together", own.map((value, f) => value + found[f])]], true);
  const help = "Its own features and what it found are added up. The second query is made from the sum. What is not listed is 0.";
  setText("knows-help", settings.first ? help : "Nothing was found, so it knows only what it is.");
  showStrip($("look-second-words"), words, it, second?.weights[it], false);
  setText("look-second-summary", second ? verdict(words, second.weights[it]) : "");
}

function verdict(words, row) {
  const [animal, street] = [row[words.indexOf("animal")], row[words.indexOf("street")]];
  const fault = faultOf(words, words.indexOf("it"), row);
  if (fault) return fault;
  const amounts = `animal ${percent(animal)}, street ${percent(street)}`;
  if (Math.abs(animal - street) < 0.01) return `“it” cannot tell the animal from the street: ${amounts}.`;
  return `“it” is the ${animal > street ? "animal" : "street"}: ${amounts}.`;
}

// Small things

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== "") made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function setText(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

function colour(node, weight) {
  const amount = Number.isFinite(weight) ? Math.max(0, Math.min(weight, 1)) : 0;
  node.style.setProperty("--w", amount.toFixed(4));
  node.classList.toggle("deep", amount >= TEXT_TURNS_WHITE);
  node.classList.toggle("bright", amount >= TEXT_TURNS_BLACK);
  node.classList.toggle("broken", !Number.isFinite(weight));
}

function quoted(words, i) {
  const twice = words.indexOf(words[i]) !== words.lastIndexOf(words[i]);
  const bare = words[i].replace(/[.,;:!?]+$/u, "") || words[i];
  return `“${bare}”${twice ? ` (word ${i + 1})` : ""}`;
}

function percent(weight) {
  if (!Number.isFinite(weight)) return "NaN";
  return `${Math.round(weight * 100)}\u00a0%`; // a space at which no line breaks
}

const fixed = (number, digits = 2) => (Number.isFinite(number) ? number.toFixed(digits) : "NaN");
const precise = (number) => String(Number(number.toPrecision(3))).replace("-", "−");
const round = (number) => String(Math.round(number * 100) / 100).replace("-", "−");
const isUniform = (row) => Math.max(...row) - Math.min(...row) < 1e-6;

// The folder that the page runs on

async function watchFolder() {
  let version = null;
  let silent = false;
  const look = async () => {
    try {
      const state = await (await fetch("/state")).json();
      setText("runs", `Runs the attention of “${state.name}”. Save the file, and the picture follows.`);
      if (silent || (version !== null && version !== state.version)) update(true);
      version = state.version;
      silent = false;
    } catch {
      if (!silent) setText("runs", "The program in the terminal has ended. Start it again, and the picture follows.");
      silent = true;
    }
    setTimeout(look, POLL);
  };
  look();
}

function begin() {
  $("sentence").addEventListener("input", () => {
    clearTimeout(typing);
    const typed = () => {
      typing = 0;
      change({ sentence: $("sentence").value.slice(0, LIMITS.characters) });
    };
    typing = setTimeout(typed, RUNS === "page" ? 0 : 150);
  });
  for (const name of ["scaling", "positions", "first"]) {
    $(name).addEventListener("change", () => change({ [name]: $(name).checked }));
  }
  for (const name of ["mask", "last"]) {
    for (const input of document.querySelectorAll(`input[name="${name}"]`)) {
      input.addEventListener("change", () => change({ [name]: input.value }));
    }
  }
  for (const input of document.querySelectorAll('input[name="heads"]')) {
    input.addEventListener("change", () => {
      const heads = Number(input.value);
      change({ heads, head: Math.min(settings.head, heads) });
    });
  }
  $("theme").addEventListener("change", () => change({ theme: $("theme").value }));
  $("map-scroll").addEventListener("scroll", showEdges);
  $("map").addEventListener("keydown", moveInMap);
  $("map").addEventListener("pointerover", (event) => pointed(event, showReadout));
  $("map").addEventListener("pointerleave", () => showReadout());
  $("map").addEventListener("focusin", (event) => pointed(event, (row, column) => {
    leadTo(row, column);
    showReadout(row, column);
  }));
  $("map").addEventListener("click", (event) => pointed(event, (row) => change({ pick: row + 1 })));
  window.addEventListener("hashchange", () => {
    settings = readAddress();
    update();
  });
  // The words wrap anew when there is more or less room for them.
  const redraw = new ResizeObserver(() => picture && !picture.trouble && !isWaiting && show(picture));
  for (const id of ["words", "look-first-words", "look-second-words"]) redraw.observe($(id));
  settings = readAddress();
  update();
  if (RUNS === "folder") watchFolder();
}

begin();
