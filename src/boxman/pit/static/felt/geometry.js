// Where everything lies on the cloth: the one table from which print and hit boxes are made.
// A leaf is a spot; rows share their width by `w`, columns stack by `h`. `*` stands for a number.
// What a house does not offer is left out and the rest closes up (plan.js).

const one = (spot, h, print = "", more = {}) => ({ spot, h, print, ...more });
const row = (gap, ...parts) => ({ gap, row: parts });
const column = (gap, ...parts) => ({ gap, column: parts });
const wide = (w, part) => ({ ...part, w });
const several = (names, h) => names.map((spot) => one(spot, h));

const box = (strip, number) => column(2,
  row(2, ...several(["lay.*", "lose.*"], strip)), row(2, ...several(["dont_come.*", "dont_come.odds.*"], strip)),
  { number: true, h: number },
  row(2, ...several(["come.*", "come.odds.*"], strip)), row(2, ...several(["place.*", "buy.*"], strip)));

// With many numbers the boxes of one are narrow: what would lie side by side is stacked.
const stacked = (strip, number) => column(2,
  ...several(["lay.*", "lose.*", "dont_come.*", "dont_come.odds.*"], strip), { number: true, h: number },
  ...several(["come.*", "come.odds.*", "place.*", "buy.*"], strip));

const DICE = {
  "hard.4": [2, 2], "hard.6": [3, 3], "hard.8": [4, 4], "hard.10": [5, 5],
  two: [1, 1], three: [1, 2], eleven: [5, 6], twelve: [6, 6],
};
const dice = (names, h) => names.map((spot) => one(spot, h, "dice", { dice: DICE[spot] }));
const onerolls = (h) => row(4, ...dice(["two", "three", "eleven", "twelve"], h));
const composites = (h) => row(4, ...several(["horn", "world", "c_and_e"], h));
const highs = (h) => row(4, ...several([2, 3, 11, 12].map((n) => `horn_high.${n}`), h));
const bigs = (h) => row(4, one("big.6", h, "big"), one("big.8", h, "big"));
const seven = (h) => one("any_seven", h, "strip", { tone: "red" });
const line = (flat, h, print, w) => row(4, wide(w, one(flat, h, print)), wide(100 - w, one(`${flat}.odds`, h)));

export const WIDE = {
  width: 1080,
  margin: 12,
  least: 540,
  tree: row(12,
    wide(70, column(8,
      { bonus: true, h: 34, track: 26 },
      row(4,
        wide(11, column(4, one("dont_come", 110, "name"), { park: true, h: 60 })),
        { w: 89, numbers: box(42, 64), many: stacked(36, 60), rows: 1, gap: 4 }),
      one("come", 58, "title"),
      row(4, wide(20, bigs(62)), wide(80, one("field", 62, "field"))),
      line("dont_pass", 42, "name", 72),
      line("pass", 58, "title", 72))),
    wide(30, column(4,
      seven(38),
      { heading: "Hardways", h: 20 },
      row(2, ...dice(["hard.6", "hard.10"], 60)),
      row(2, ...dice(["hard.8", "hard.4"], 60)),
      one("any_hard", 34, "strip"),
      { heading: "One roll", h: 20 },
      onerolls(72),
      one("any_craps", 38, "strip"),
      composites(40),
      highs(40)))),
};

export const TALL = {
  width: 390,
  margin: 6,
  tree: column(5,
    { bonus: true, h: 34, track: 22 },
    { numbers: box(32, 40), many: stacked(27, 38), rows: 2, gap: 3, park: true },
    row(4, wide(34, one("dont_come", 46, "name")), wide(66, one("come", 46, "title"))),
    one("field", 58, "field"),
    line("dont_pass", 44, "name", 66),
    line("pass", 50, "name", 66),
    row(4, wide(40, bigs(40)), wide(60, seven(40))),
    row(4, ...dice(["hard.4", "hard.6", "hard.8", "hard.10"], 62)),
    one("any_hard", 34, "strip"),
    onerolls(62),
    one("any_craps", 36, "strip"),
    composites(38),
    highs(40)),
};

// Short print where the house's name is too long for its box; the full name is read out.
export const SHORT = {
  "come.*": "Come", "come.odds.*": "Odds", "dont_come.*": "Don't", "dont_come.odds.*": "Odds",
  "place.*": "Place", "lose.*": "To lose", "buy.*": "Buy", "lay.*": "Lay",
};

// Upside down a 6 is a 9: across the table these two are read as words.
export const WORDS = { 6: "SIX", 9: "NINE" };
