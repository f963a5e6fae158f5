// Where everything lies on a cloth of so many pixels. A pixel of the plan is a pixel on the screen, so that print and
// targets keep their least sizes. What is where comes with the cloth; what does not fit stands on further pages.
export const clamp = (low, x, high) => Math.max(low, Math.min(x, high));
const TARGET = [24, 44];

// The spots of a place, in the order the cloth wants them.
function members(cloth, place, order = []) {
  const rank = (spot) => (order.includes(spot.id) ? order.indexOf(spot.id) : order.length);
  return cloth.spots.filter((spot) => spot.place === place).sort((a, b) => rank(a) - rank(b));
}

class Plan {
  constructor(cloth, W, H, touch) {
    Object.assign(this, { cloth, W, H, touch });
    this.finger = touch ? 1 : 0;
    this.least = TARGET[this.finger];
    this.wide = (W >= 520 && W / H > 1.02) || (W >= 400 && W / H > 1.25);
    this.gap = W > 900 ? 5 : 3;
    this.pad = W > 900 ? 12 : W > 540 ? 8 : 5;
    this.zones = [];
    this.captions = [];
    this.frames = [];
    this.lamps = [];
    this.drawn = new Set();
    this.twin = !this.wide && cloth.points.length > 6;
  }

  at(...places) {
    return this.cloth.spots.filter((spot) => places.includes(spot.place));
  }

  add(spot, kind, x, y, w, h, more = {}) {
    this.drawn.add(spot.id);
    for (const also of more.also || []) this.drawn.add(also);
    const zone = { spot: spot.id, kind, x, y, w, h, ...more };
    this.zones.push(zone);
    return zone;
  }

  // -- which rows there are, and how high --

  rows() {
    const found = this.cloth.frame.rows.filter((row) => this.at(...row.at).length);
    const made = [];
    for (const row of found) made.push({ ...row, rank: 0 });
    if (!this.twin) return made;
    // Many numbers on a narrow cloth stand in two ranks: the second has rows of its own.
    const numbers = made.filter((row) => row.numbers);
    const last = made.indexOf(numbers.at(-1));
    made.splice(last + 1, 0, ...numbers.map((row) => ({ ...row, rank: 1 })));
    for (const row of made) if (row.kind === "number") row.least = [52, 54];
    return made;
  }

  after(rows, n) {
    const [row, next] = [rows[n], rows[n + 1]];
    return row.numbers && next?.numbers && row.rank === next.rank ? 0 : this.gap;
  }

  need(rows) {
    return rows.reduce((sum, row, n) => sum + row.least[this.finger] + this.after(rows, n), 2 * this.pad - this.gap);
  }

  // Rows leave while not all fit; a narrow cloth begins without those that are missed least.
  fitting() {
    let rows = this.rows();
    if (!this.wide) rows = rows.filter((row) => !(row.numbers && row.leaves && row.leaves < 3));
    for (;;) {
      const out = rows.filter((row) => row.leaves).sort((a, b) => a.leaves - b.leaves)[0];
      if (this.need(rows) <= this.H || !out) return rows;
      rows = rows.filter((row) => row.kind !== out.kind || row.at[0] !== out.at[0]);
    }
  }

  heights(rows) {
    const spare = Math.max(0, this.H - this.need(rows));
    const shares = rows.reduce((sum, row) => sum + row.share, 0);
    let y = this.pad;
    rows.forEach((row, n) => {
      row.y = y;
      row.h = row.least[this.finger] + (spare * row.share) / shares;
      y += row.h + this.after(rows, n);
    });
  }

  // -- across --

  whole() {
    const { W, H, pad, gap, wide, cloth } = this;
    const rows = this.fitting();
    this.heights(rows);
    const block = this.block();
    this.right = W - pad - (block ? block.w + gap * 2 : 0);
    const line = rows.filter((row) => row.kind === "line");
    const sides = wide ? line.map((row, n) => (n === line.length - 1
      ? clamp(36, W * 0.048, 74) : W >= 740 ? clamp(28, W * 0.032, 50) : 0)) : line.map(() => 0);
    this.capX = pad + sides.reduce((sum, side) => sum + (side ? side + gap : 0), 0);
    this.capW = wide ? clamp(52, W * 0.074, 116) : 42;
    this.numX = this.capX + this.capW + gap;
    this.ranks = this.twin ? [cloth.points.slice(0, 5), cloth.points.slice(5)] : [cloth.points];
    this.cols = this.ranks[0].length || 1;
    this.colW = (this.right - this.numX - gap * (this.cols - 1)) / this.cols;
    for (const rank of this.ranks.keys()) this.numbers(rows.filter((row) => row.numbers && row.rank === rank), rank);
    const inX = wide ? this.capX : pad + this.capW + gap;
    for (const row of rows) {
      if (row.kind === "bonus") this.bonus(row);
      if (row.kind === "title" || row.kind === "field") this.long(row, inX);
    }
    const top = wide ? this.frames[0]?.y ?? pad : (rows.find((row) => row.kind === "title") || rows.at(-1)).y;
    line.reverse().forEach((row, n) => this.line(row, rows, n, n ? sides[line.length - 1 - n] : sides.at(-1)
      || this.capW, top, inX));
    if (block) this.props(block);
    return { rowH: Math.max(30, ...rows.filter((row) => row.kind === "cell").map((row) => row.h)) };
  }

  numbers(rows, rank) {
    if (!rows.length) return;
    const { numX, colW, gap, capX, capW } = this;
    const top = rows[0].y;
    const bottom = rows.at(-1).y + rows.at(-1).h;
    this.ranks[rank].forEach((number, n) => {
      const x = numX + n * (colW + gap);
      this.frames.push({ x, y: top, w: colW, h: bottom - top, number, lines: rows.slice(1).map((row) => row.y),
        numeral: rows.find((row) => row.kind === "number") });
      for (const row of rows) this.cell(row, number, x, colW);
    });
    for (const row of rows) {
      const own = row.caption && this.wide && this.at(row.caption).find((spot) => !this.drawn.has(spot.id));
      const box = { x: capX, y: row.y, w: capW, h: row.h };
      if (own && row.h >= this.least) this.add(own, "box", capX, row.y + 1, capW, Math.max(this.least, row.h - 2));
      else this.captions.push({ ...box, spots: this.at(row.at[0]), kind: row.kind });
    }
  }

  // One number in one row: a spot, or two side by side where both can be hit; else the odds, which hold both.
  cell(row, number, x, w) {
    const spots = row.at.flatMap((place) => this.at(place).filter((spot) => spot.number === number));
    const more = { number, row: row.at[0], dark: row.dark };
    if (!spots.length) return;
    if (spots.length > 1 && w / spots.length < this.least) {
      const [only, ...rest] = [...spots].reverse();
      this.add(only, row.kind, x, row.y, w, row.h, { ...more, also: rest.map((spot) => spot.id) });
      return;
    }
    const each = w / spots.length;
    spots.forEach((spot, n) => this.add(spot, row.kind, x + n * each, row.y, each, row.h,
      { ...more, part: spots.length > 1 }));
  }

  // Come and field run the whole length; smaller boxes stand before them.
  long(row, inX) {
    let x = inX;
    const before = (row.before || []).flatMap((place) => this.at(place)).filter((spot) => !this.drawn.has(spot.id));
    const room = this.right - inX;
    const fits = row.kind === "title" || this.wide;
    const each = row.kind === "title" ? room * (this.wide ? 0.2 : 0.3)
      : clamp(this.least + this.gap + 1, this.W * 0.055, 85);
    if (fits) {
      before.forEach((spot) => {
        this.add(spot, row.kind === "title" ? "box" : "big", x, row.y, each - this.gap, row.h);
        x += each;
      });
    }
    const spots = this.at(...row.at);
    const w = (this.right - x - this.gap * (spots.length - 1)) / spots.length;
    spots.forEach((spot, n) => this.add(spot, row.kind, x + n * (w + this.gap), row.y, w, row.h));
  }

  // A band that comes down the left side and turns the corner: one shape, one target. Odds without a row of their own
  // lie in its end.
  line(row, rows, n, side, top, inX) {
    const { pad, gap, right } = this;
    const [spot] = this.at(...row.at);
    const ends = row.end ? this.at(row.end).filter(() => !rows.some((each) => each.kind === "behind"
      && each.at[0] === row.end)) : [];
    const end = ends.length ? Math.max(this.least * 1.7, (right - pad) * (n ? 0.2 : this.wide ? 0.2 : 0.27)) : 0;
    const straight = right - (end ? end + gap : 0);
    ends.forEach((each) => this.add(each, "behind", right - end, row.y, end, row.h, { inline: true, of: spot.id }));
    // The outermost turns; one inside it too, where there is room.
    const outer = this.capX - gap - (n ? 0 : this.capX - gap - side - pad);
    const x = n ? (side && this.wide ? outer - side : inX) : pad;
    if ((n && !(side && this.wide)) || row.y - top < 60) {
      this.add(spot, "line", inX, row.y, straight - inX, row.h, { straight: { x: inX, w: straight - inX }, outer: !n });
    } else {
      const made = bend(x, top, side, straight, row);
      this.add(spot, "line", x, row.y, straight - x, row.h, { ...made, outer: !n });
    }
    const behind = !n && rows.find((each) => each.kind === "behind");
    if (!behind) return;
    this.at(...behind.at).forEach((each) => this.add(each, "behind", pad + 26, behind.y, right - pad - 26, behind.h,
      { of: spot.id }));
  }

  // Wagers that collect totals, with lamps: one row for all that share a gate, or a row each.
  bonus(row) {
    const { numX, gap, capX, capW } = this;
    const spots = members(this.cloth, row.at[0], ["small", "all"]);
    const all = this.right - numX;
    const weight = spots.reduce((sum, spot) => sum + (spot.collects?.length || 4) + 2, 0);
    const wide = (spot) => ((all - gap * (spots.length - 1)) * ((spot.collects?.length || 4) + 2)) / weight;
    // Where lamps of their own would run into each other, all share one row of them.
    const own = new Set(spots.map((spot) => spot.gate?.group)).size === spots.length
      && spots.every((spot) => !spot.collects || wide(spot) / spot.collects.length > 16);
    const lampH = clamp(20, row.h * 0.38, 34);
    const box = Math.max(this.least, row.h - lampH - 2);
    const lamp = (totals, of, x, w) => totals.forEach((total, n) => this.lamps.push({ total, of,
      x: x + (w * (n + 0.5)) / totals.length, y: row.y + box + 2 + lampH / 2,
      r: Math.min(lampH / 2 - 1, (w / totals.length) / 2 - 1, 15) }));
    let x = numX;
    for (const spot of spots) {
      const w = wide(spot);
      this.add(spot, "bonus", x, row.y, w, box);
      if (own && spot.collects) lamp(spot.collects, [spot.id], x, w);
      x += w + gap;
    }
    if (!own) {
      const totals = [...new Set(spots.flatMap((spot) => spot.collects || []))].sort((a, b) => a - b);
      lamp(totals, spots.map((spot) => spot.id), numX, all);
    }
    this.captions.push({ x: capX, y: row.y, w: capW, h: box, words: spots[0].heading, kind: "bonus" });
  }

  // -- propositions --

  // Rows of boxes beside the layout, as many as can be hit; null where there is no room for them.
  block() {
    const { wide, W, H, pad, gap, cloth, least } = this;
    if (!wide || W < 520 || (this.touch && cloth.points.length > 6 && W < 800)) return null;
    const w = clamp(136, W * 0.22, 430);
    const inset = w > 180 ? 8 : 4;
    const known = new Set([...cloth.frame.rows.flatMap((row) => [...row.at, ...(row.before || []), row.caption,
      row.end]),
      ...cloth.frame.props.map((each) => each.at)]);
    const sets = cloth.frame.props.flatMap((node) => {
      const spots = node.at === cloth.frame.more
        ? cloth.spots.filter((spot) => spot.place === node.at || !known.has(spot.place)) : members(cloth, node.at,
          node.order);
      const most = Math.max(1, Math.min(node.across, Math.floor((w - 2 * inset) / (this.touch ? 54 : 62))));
      return groups(spots).map(({ list }) => {
        // As even as it goes: four of which three would fit are two and two.
        const across = Math.ceil(list.length / Math.ceil(list.length / most));
        const made = [];
        for (let n = 0; n < list.length; n += across) made.push({ ...node, spots: list.slice(n, n + across) });
        return made;
      });
    });
    const tall = (row) => (row.spots[0].dice ? Math.max(least, 40) : Math.max(least, 26));
    const room = H - 2 * pad - 2 * inset;
    let used = -gap;
    // A family is here whole or on a further page; a large one never in the place of the usual ones.
    const large = (rows) => rows.length > 3;
    const here = new Set([...sets].sort((a, b) => large(a) - large(b)).filter((rows) => {
      const more = rows.reduce((sum, row) => sum + gap + tall(row), 0);
      if (used + more > room) return false;
      used += more;
      return true;
    }));
    const fits = sets.filter((rows) => here.has(rows)).flat();
    return fits.length ? { w, inset, rows: fits, tall, spare: room - used } : null;
  }

  props({ w, inset, rows, tall, spare }) {
    const { pad, gap, H } = this;
    const x = this.W - pad - w;
    this.bed = { x, y: pad, w, h: H - 2 * pad };
    const shares = rows.reduce((sum, row) => sum + row.share, 0);
    let y = pad + inset;
    for (const row of rows) {
      const h = tall(row) + (spare * row.share) / shares;
      const each = (w - 2 * inset - gap * (row.spots.length - 1)) / row.spots.length;
      row.spots.forEach((spot, n) =>
        this.add(spot, spot.dice ? "dice" : "prop", x + inset + n * (each + gap), y, each, h, { tone: row.tone }));
      y += h + gap;
    }
  }
}

function bend(x, top, side, right, { y, h }) {
  const R = Math.min(side + h * 0.55, side * 1.7);
  const r = Math.max(R - Math.min(side, h), 5);
  const b = y + h;
  const c = 5;
  const path = `M${x + c} ${top}H${x + side - c}q${c} 0 ${c} ${c}V${y - r}q0 ${r} ${r} ${r}`
    + `H${right - c}q${c} 0 ${c} ${c}V${b - c}q0 ${c} ${-c} ${c}H${x + R}`
    + `A${R} ${R} 0 0 1 ${x} ${b - R}V${top + c}q0 ${-c} ${c} ${-c}z`;
  return { path, straight: { x: x + R, w: right - x - R }, rise: { x, y: top, w: side, h: y - top } };
}

// -- the further pages: whatever has no room on the first, grouped by family, in boxes that can be hit --

// Families in the order of the cloth, each with its spots.
function groups(spots) {
  const found = new Map();
  for (const spot of spots) found.set(spot.heading, [...(found.get(spot.heading) || []), spot]);
  return [...found].map(([heading, list]) => ({ heading, list }));
}

// Rows of boxes for one group: wagers at numbers stand under each other by kind.
function ranks({ list }, across) {
  const made = [];
  const kinds = new Map();
  for (const spot of list) kinds.set(spot.family, [...(kinds.get(spot.family) || []), spot]);
  const several = [...kinds.values()];
  const single = several.filter((kind) => kind.length === 1).flat();
  for (const kind of [...several.filter((each) => each.length > 1), ...(single.length ? [single] : [])]) {
    const lines = Math.ceil(kind.length / across);
    const per = Math.ceil(kind.length / lines);
    for (let n = 0; n < kind.length; n += per) made.push(kind.slice(n, n + per));
  }
  return made;
}

const HEAD = 18;

function pages(spots, W, H, { pad, gap, touch }) {
  const least = touch ? 44 : 30;
  const across = Math.max(2, Math.min(8, Math.floor((W - 2 * pad) / 74)));
  const room = H - 2 * pad;
  const found = [];
  let page = null;
  for (const group of groups(spots)) {
    for (const rank of ranks(group, across)) {
      const head = page && page.last === group.heading ? 0 : HEAD;
      if (!page || page.used + head + least + gap > room) {
        page = { headings: [], parts: [], used: 0, last: "" };
        found.push(page);
      }
      if (page.last !== group.heading) {
        page.headings.push(group.heading);
        page.parts.push({ heading: group.heading });
        page.used += HEAD;
        page.last = group.heading;
      }
      page.parts.push({ rank });
      page.used += least + gap;
    }
  }
  return found.map((each) => laid(each, W, H, pad, gap, least, room));
}

function laid({ headings, parts, used }, W, H, pad, gap, least, room) {
  const ranksHere = parts.filter((part) => part.rank).length;
  const tall = Math.min(84, least + (room - used) / ranksHere);
  const zones = [];
  const captions = [];
  let y = pad;
  for (const part of parts) {
    if (part.heading) {
      captions.push({ x: pad, y, w: W - 2 * pad, h: HEAD, words: part.heading, kind: "heading" });
      y += HEAD;
    } else {
      const w = (W - 2 * pad - gap * (part.rank.length - 1)) / part.rank.length;
      part.rank.forEach((spot, n) => zones.push({ spot: spot.id, kind: spot.dice ? "dice" : "prop",
        x: pad + n * (w + gap), y, w, h: tall, page: true }));
      y += tall + gap;
    }
  }
  return { heading: headings.join(", "), zones, captions, bed: { x: 1, y: 1, w: W - 2, h: H - 2 } };
}

// The cloth of one size: its zones, and the pages on which the rest stands.
export function plan(cloth, W, H, { touch = false, view = 0 } = {}) {
  const made = new Plan(cloth, W, H, touch);
  const { rowH } = made.whole();
  const rest = cloth.spots.filter((spot) => !made.drawn.has(spot.id));
  // What lies in another's zone can be touched by itself on a further page.
  const under = cloth.spots.filter((spot) => made.zones.some((zone) => zone.also?.includes(spot.id)));
  const further = pages([...rest, ...under], W, H, made);
  const views = [null, ...further.map((page) => page.heading)];
  const page = further[view - 1];
  const base = { W, H, wide: made.wide, gap: made.gap, colW: made.colW, rowH, views, view: page ? view : 0 };
  if (page) return { ...base, zones: page.zones, captions: page.captions, frames: [], lamps: [], colW: 56, rowH: 44,
    bed: page.bed };
  const number = made.frames[0];
  const park = number && { x: made.capX + made.capW / 2, y: number.numeral ? number.numeral.y + number.numeral.h * 0.7
    : number.y };
  return { ...base, zones: made.zones, captions: made.captions, frames: made.frames, lamps: made.lamps, bed: made.bed,
    park };
}

// Which zone an arrow key leads to: the nearest that way, best one that lies straight ahead.
export function neighbour(boxes, from, key) {
  const flat = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  const [start, long, side, wide] = flat ? ["x", "w", "y", "h"] : ["y", "h", "x", "w"];
  const middle = (box, at, size) => box[at] + box[size] / 2;
  let best = null;
  let least = Infinity;
  for (const box of boxes) {
    // From edge to edge: a long box above or below is not "to the right" because its middle is.
    const along = sign > 0 ? box[start] - from[start] - from[long] : from[start] - box[start] - box[long];
    if (box.spot === from.spot || along < -1) continue;
    const beside = Math.max(0, box[side] - from[side] - from[wide], from[side] - box[side] - box[wide]);
    const off = Math.abs(middle(box, side, wide) - middle(from, side, wide));
    const far = along + (beside ? 400 + beside * 4 : 0) + off * 0.2;
    if (far < least) [best, least] = [box, far];
  }
  return best;
}
