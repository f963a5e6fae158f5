// The further pages of a cloth: whatever has no room on the first, grouped by family, in boxes that can be hit.

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

export function pages(spots, W, H, { pad, gap, touch }) {
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
