"use strict";
// From words to weights: the same hand-written model as in playground.py, and a reference for attention itself.
// Matrices are arrays of rows. Nothing in this file knows of the page, apart from the data that stands in it.

const MODEL = JSON.parse(document.getElementById("model").textContent);
const NAMES = MODEL.features.map((feature) => feature.name);
const D_K = 16; // features of a query and of a key: what the word is, and where it stands

/** A word as the list has it: small letters, no punctuation around it. */
function plainWord(word) {
  const marks = ".,;:!?\"'()[]…“”‘-–—";
  let letters = [...word.toLowerCase().replaceAll("’", "'")];
  while (letters.length && marks.includes(letters[0])) letters = letters.slice(1);
  while (letters.length && marks.includes(letters.at(-1))) letters = letters.slice(0, -1);
  return letters.join("");
}

/** What is known of a word: its features and the reason, or null. */
function knownWord(word) {
  const key = plainWord(word);
  return Object.hasOwn(MODEL.words, key) ? MODEL.words[key] : null;
}

/** What each word is: rows of eight ones and zeros, and nothing but zeros for a word that nobody has described. */
function wordFeatures(words) {
  return words.map((word) => {
    const known = knownWord(word);
    return NAMES.map((name) => (known && known.features.includes(name) ? 1 : 0));
  });
}

/** Where each of n words stands: rows of sines and cosines of the position, from fast to slow. */
function wordPlaces(n, d = 8) {
  return Array.from({ length: n }, (_, position) =>
    Array.from({ length: d }, (_, i) => {
      const angle = position * 10000 ** (-(i - (i % 2)) / d);
      return i % 2 ? Math.cos(angle) : Math.sin(angle);
    }),
  );
}

/** What each word asks for, by the head's own rule: features of other words, then a place. */
function headQueries(features, places, head) {
  return features.map((row, token) => {
    const wanted = NAMES.map((other) =>
      row.reduce((sum, value, i) => sum + value * (head.ask[NAMES[i]]?.[other] ?? 0), 0),
    );
    const turned = head.hands.flatMap((strength, hand) => {
      const angle = head.shift * 10 ** -hand;
      const [sine, cosine] = [places[token][2 * hand], places[token][2 * hand + 1]];
      return [
        strength * (sine * Math.cos(angle) + cosine * Math.sin(angle)),
        strength * (cosine * Math.cos(angle) - sine * Math.sin(angle)),
      ];
    });
    return [...wanted, ...turned];
  });
}

/** Whether a word may read another: the mask's rows, or null when everything is visible. */
function visibility(n, nWords, mask) {
  if (mask === "none") return null;
  return Array.from({ length: n }, (_, query) =>
    Array.from({ length: n }, (_, key) => (mask === "causal" ? key <= query : key < nWords)),
  );
}

/** Attention: the weights of each query, and the average of the values under them. */
function attend(queries, keys, values, visible) {
  const weights = queries.map((query, i) => {
    const scores = keys.map((key, j) =>
      visible && !visible[i][j] ? -Infinity : dot(query, key) / Math.sqrt(query.length),
    );
    const highest = Math.max(...scores);
    if (highest === -Infinity) return scores.map(() => 0);
    const positive = scores.map((score) => Math.exp(score - highest));
    const total = positive.reduce((sum, number) => sum + number, 0);
    return positive.map((number) => number / total);
  });
  const output = weights.map((row) => values[0].map((_, f) => row.reduce((sum, w, j) => sum + w * values[j][f], 0)));
  return { weights, output };
}

function dot(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** A picture, computed here: the same request and the same answer as those of playground.py. */
function pictureOf(request) {
  return { heads: request.looks === 2 ? twoLooks(request) : oneLook(request), notes: [], odd: [] };
}

function oneLook(request) {
  const words = request.mask === "padding" ? [...request.words, ...MODEL.padding] : request.words;
  const features = wordFeatures(words);
  const places = request.positions ? wordPlaces(words.length) : features.map(() => Array(8).fill(0));
  const keys = features.map((row, i) => [...row, ...places[i]]);
  const visible = visibility(words.length, request.words.length, request.mask);
  const strength = request.scaling ? 1 : Math.sqrt(D_K);
  return MODEL.heads.slice(0, request.heads).map((head) => {
    const queries = headQueries(features, places, head).map((row) => row.map((value) => value * strength));
    return { ...attend(queries, keys, features, visible), queries, keys };
  });
}

function twoLooks(request) {
  let features = wordFeatures(request.words);
  const nowhere = features.map(() => Array(8).fill(0));
  const looks = [];
  for (const head of request.first ? MODEL.looks : MODEL.looks.slice(1)) {
    const keys = features.map((row, i) => [...row, ...nowhere[i]]);
    const queries = headQueries(features, nowhere, head);
    const look = { ...attend(queries, keys, features, null), queries, keys };
    looks.push(look);
    features = features.map((row, i) => row.map((value, f) => value + look.output[i][f]));
  }
  return looks;
}
