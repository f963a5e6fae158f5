// Every page of the cloth at this size: what is wrong with the table page as it is shown (cut, overlapping, too small),
// and the spots that they show. Used by test_sizes.py.
async ([width, height, touch]) => {
  const cloth = document.querySelector('craps-felt');
  const ready = () => innerWidth === width && innerHeight === height && matchMedia('(pointer: coarse)').matches === touch
    && cloth.laidOut();
  for (let frames = 0; !ready(); frames++) {
    if (frames > 600) return [{ wrong: [`never laid out: ${innerWidth}x${innerHeight}`], spots: [] }];
    await new Promise(requestAnimationFrame);
  }
  const walk = (n) => {
    // Only the cloth is another on its further pages; what lies round it is looked at once.
    const room = n ? cloth : document.body;
    const bad = [];
    const seen = (e) => { const b = e.getBoundingClientRect(); return e.checkVisibility() && b.width > 0 && b.height > 0
      && getComputedStyle(e).visibility !== 'hidden'; };
    const least = touch ? 44 : 24;
    if (document.documentElement.scrollHeight > innerHeight + 1 || document.documentElement.scrollWidth > innerWidth
      + 1) bad.push(`scroll ${document.documentElement.scrollWidth}x${document.documentElement.scrollHeight}`);
    // targets
    const clipped = (e) => { for (let p = e.parentElement; p; p = p.parentElement) { const o = getComputedStyle(p); if (/auto|scroll/.test(o.overflowX + o.overflowY) ) return true; } return false; };
    const spots = [...document.querySelectorAll('craps-felt [data-spot]')].map(e => [e.dataset.spot,
      e.querySelector('.hit')]);
    const felt = document.querySelector('craps-felt').getBoundingClientRect();
    const boxes = spots.map(([n, e]) => [n, e.getBoundingClientRect(), e.tagName === 'path']);
    for (const [n, b, path] of boxes) {
      if (Math.min(b.width, b.height) < least - 0.5) bad.push(`small ${n} ${b.width.toFixed()}x${b.height.toFixed()}`);
      if (b.left < felt.left - 1 || b.right > felt.right + 1 || b.top < felt.top - 1 || b.bottom > felt.bottom
        + 1) bad.push(`cut ${n}`);
    }
    for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
      const [n, a, p] = boxes[i], [m, b, q] = boxes[j]; if (p || q) continue;
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top,
        b.top) > 1) bad.push(`over ${n} ${m}`);
    }
    for (const e of room.querySelectorAll('button, a[href], input, select')) {
      if (!seen(e) || e.closest('.skip, dialog') || e.classList.contains('skip')) continue;
      const b = e.getBoundingClientRect();
      const label = e.ariaLabel || e.textContent || e.name;
      if (Math.min(b.width, b.height) < least - 0.5
        && !e.closest('.side a')) bad.push(`target ${label} ${b.width.toFixed()}x${b.height.toFixed()}`);
      // What is scrolled out of the dock is out of sight: nobody looks for it there.
      const strict = e.closest('.dock');
      if ((strict || !clipped(e)) && (b.left < -1 || b.right > innerWidth + 1 || b.top < -1 || b.bottom > innerHeight
        + 1)) bad.push(`off ${label} ${b.left.toFixed()} ${b.top.toFixed()} ${b.right.toFixed()} ${b.bottom.toFixed()}`);
      const parent = e.closest('.dock, #bar, .side, .views'); 
      if (parent && (strict || !clipped(e))) { const q = parent.getBoundingClientRect(); if (b.right > q.right + 1
        || b.bottom > q.bottom + 1 || b.left < q.left - 1
          || b.top < q.top - 1) bad.push(`out of ${parent.className || parent.id}: ${label}`); }
    }
    for (const e of room.querySelectorAll('.views button')) if (e.scrollHeight > e.clientHeight + 1
      || e.scrollWidth > e.clientWidth + 1) bad.push(`cut page ${e.textContent}`);
    // dock parts do not lie over each other
    const parts = n ? [] : ['.purse', '.chip-row', '.dock .quick', '.keep', '.roll', '.calls', '.buy', '.wood', '.side',
      '#bar'].map(s => [s, document.querySelector(s)]).filter(([, e]) => e && seen(e)).map(([s, e]) =>
        [s, e.getBoundingClientRect()]);
    for (let i = 0; i < parts.length; i++) for (let j = i + 1; j < parts.length; j++) {
      const [n, a] = parts[i], [m, b] = parts[j];
      if ((n === '.wood' && m === '.side') && getComputedStyle(document.querySelector('.side')).zIndex === '20') continue;
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top,
        b.top) > 1) bad.push(`parts ${n} ${m}`);
    }
    const bar = n ? [] : [...document.querySelectorAll('#bar > *')].filter(seen).map(e => [e.className,
      e.getBoundingClientRect()]);
    for (let i = 0; i + 1 < bar.length; i++) if (bar[i][1].right > bar[i + 1][1].left
      + 1) bad.push(`bar ${bar[i][0]} ${bar[i + 1][0]}`);
    // text
    const walker = document.createTreeWalker(room, NodeFilter.SHOW_TEXT);
    const said = new Set();
    while (walker.nextNode()) {
      const e = walker.currentNode.parentElement; const text = walker.currentNode.textContent.trim();
      if (!text || !seen(e) || e.closest('.hidden, dialog, noscript, .skip, .chip-defs')) continue;
      let size = parseFloat(getComputedStyle(e).fontSize);
      const svg = e.closest('svg'); if (svg) { const m = e.getScreenCTM?.(); if (m) size *= Math.hypot(m.a, m.b); }
      if (size < 10.9 && !e.closest('.chip-row')) said.add(`text ${size.toFixed(1)} ${text.slice(0, 20)}`);
      const r = document.createRange(); r.selectNodeContents(walker.currentNode); const b = r.getBoundingClientRect();
      if (!svg && !clipped(e) && getComputedStyle(e).textOverflow !== 'ellipsis' && b.width && (b.right > innerWidth + 1
        || b.bottom > innerHeight + 1)) said.add(`textoff ${text.slice(0, 20)}`);
    }
    // print within its zone
    for (const g of document.querySelectorAll('craps-felt [data-spot]')) {
      const spot = cloth.spot(g.dataset.spot);
      const name = spot.name.toUpperCase();
      const texts = [...g.querySelectorAll('.whole > text')].map((t) => [...t.childNodes].map((n) => n.textContent).join(' '));
      if (!g.matches('.k-big') && texts.some((t) => ![name, 'ODDS', spot.short?.toUpperCase()].includes(t) && name.startsWith(`${t} `))) said.add(`cut name ${texts}`);
      const z = g.querySelector('.hit').getBoundingClientRect();
      for (const t of g.querySelectorAll('tspan, text.print')) { if (!seen(t)
        || t.querySelector('tspan')) continue; const b = t.getBoundingClientRect(); if (b.left < z.left - 2
          || b.right > z.right + 2) said.add(`print ${g.dataset.spot} ${t.textContent}`); }
    }
    return { wrong: [...bad, ...said], spots: spots.map(([name]) => name) };
  };
  const found = cloth.pages.map((_, n) => {
    cloth.page = n;
    return walk(n);
  });
  cloth.page = 0;
  return found;
}
