// Where everything lies on the cloth: the one table from which print and hit boxes are made.
// A leaf is a spot; rows share their width by `w`, columns stack by `h`. `*` stands for a number.
// What a house does not offer is left out and the rest closes up (plan.js).

const one = (spot, h, more = {}) => ({ spot, h, ...more });

const box = (strip, number) => ({
  column: [
    { row: [one("lay.*", strip), one("lose.*", strip)] },
    { row: [one("dont_come.*", strip), one("dont_come.odds.*", strip)] },
    { number: true, h: number },
    { row: [one("come.*", strip), one("come.odds.*", strip)] },
    { row: [one("place.*", strip), one("buy.*", strip)] },
  ],
  gap: 2,
});

// With many numbers the boxes of one are narrow: what would lie side by side is stacked.
const stacked = (strip, number) => ({
  column: [
    ...["lay.*", "lose.*", "dont_come.*", "dont_come.odds.*"].map((spot) => one(spot, strip)),
    { number: true, h: number },
    ...["come.*", "come.odds.*", "place.*", "buy.*"].map((spot) => one(spot, strip)),
  ],
  gap: 2,
});

const DICE = {
  "hard.4": [[2, 2]], "hard.6": [[3, 3]], "hard.8": [[4, 4]], "hard.10": [[5, 5]],
  two: [[1, 1]], three: [[1, 2]], eleven: [[5, 6]], twelve: [[6, 6]],
};
const dice = (spot, h) => one(spot, h, { print: "dice", dice: DICE[spot] });

const hardways = (h) => [
  { row: [dice("hard.6", h), dice("hard.10", h)] },
  { row: [dice("hard.8", h), dice("hard.4", h)] },
];
const onerolls = (h) => ["two", "three", "eleven", "twelve"].map((spot) => dice(spot, h));
const composites = (h) => ["horn", "world", "c_and_e"].map((spot) => one(spot, h));
const highs = (h) => [2, 3, 11, 12].map((n) => one(`horn_high.${n}`, h));

export const WIDE = {
  width: 1080,
  margin: 12,
  least: 540,
  tree: {
    gap: 12,
    row: [
      {
        w: 70,
        gap: 8,
        column: [
          { bonus: true, h: 34, track: 26 },
          {
            gap: 4,
            row: [
              {
                w: 11,
                gap: 4,
                column: [one("dont_come", 110, { print: "name" }), { park: true, h: 60 }],
              },
              { w: 89, numbers: box(42, 64), many: stacked(36, 60), rows: 1, gap: 4 },
            ],
          },
          { row: [one("come", 58, { print: "title" })] },
          {
            gap: 4,
            row: [
              { w: 20, gap: 4, row: [one("big.6", 62, { print: "big" }), one("big.8", 62, { print: "big" })] },
              one("field", 62, { print: "field", w: 80 }),
            ],
          },
          {
            gap: 4,
            row: [
              one("dont_pass", 42, { print: "name", w: 72 }),
              one("dont_pass.odds", 42, { w: 28 }),
            ],
          },
          { gap: 4, row: [one("pass", 58, { print: "title", w: 72 }), one("pass.odds", 58, { w: 28 })] },
        ],
      },
      {
        w: 30,
        gap: 4,
        column: [
          one("any_seven", 38, { print: "strip", tone: "red" }),
          { heading: "Hardways", h: 20 },
          ...hardways(60),
          one("any_hard", 34, { print: "strip" }),
          { heading: "One roll", h: 20 },
          { gap: 4, row: onerolls(72) },
          one("any_craps", 38, { print: "strip" }),
          { gap: 4, row: composites(40) },
          { gap: 4, row: highs(40) },
        ],
      },
    ],
  },
};

export const TALL = {
  width: 390,
  margin: 6,
  tree: {
    gap: 5,
    column: [
      { bonus: true, h: 34, track: 22 },
      { numbers: box(32, 40), many: stacked(27, 38), rows: 2, gap: 3, park: true },
      {
        gap: 4,
        row: [one("dont_come", 46, { print: "name", w: 34 }), one("come", 46, { print: "title", w: 66 })],
      },
      one("field", 58, { print: "field" }),
      {
        gap: 4,
        row: [one("dont_pass", 44, { print: "name", w: 66 }), one("dont_pass.odds", 44, { w: 34 })],
      },
      { gap: 4, row: [one("pass", 50, { print: "name", w: 66 }), one("pass.odds", 50, { w: 34 })] },
      {
        gap: 4,
        row: [
          { gap: 4, w: 40, row: [one("big.6", 40, { print: "big" }), one("big.8", 40, { print: "big" })] },
          one("any_seven", 40, { print: "strip", tone: "red", w: 60 }),
        ],
      },
      { gap: 4, row: ["hard.4", "hard.6", "hard.8", "hard.10"].map((spot) => dice(spot, 62)) },
      one("any_hard", 34, { print: "strip" }),
      { gap: 4, row: onerolls(62) },
      one("any_craps", 36, { print: "strip" }),
      { gap: 4, row: composites(38) },
      { gap: 4, row: highs(40) },
    ],
  },
};

// Short print where the house's name is too long for its box; the full name is read out.
export const SHORT = {
  "come.*": "Come", "come.odds.*": "Odds", "dont_come.*": "Don't", "dont_come.odds.*": "Odds",
  "place.*": "Place", "lose.*": "To lose", "buy.*": "Buy", "lay.*": "Lay",
};

export const WORDS = {
  2: "TWO", 3: "THREE", 4: "FOUR", 5: "FIVE", 6: "SIX", 8: "EIGHT", 9: "NINE", 10: "TEN",
  11: "ELEVEN", 12: "TWELVE",
};
