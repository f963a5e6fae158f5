"""The look of the report: one style sheet for screen and paper, no colour that carries meaning."""

STYLE = """
:root { color-scheme: light; --ink: #1a1a1a; --felt: #1f6b46; --line: #c9c9c9; --soft: #f3f5f2; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff; font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 1500px; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
code { font-family: ui-monospace, monospace; }
a { color: #0b4f7d; } a:focus { outline: 3px solid #0b4f7d; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.5rem; text-align: left;
  vertical-align: top; }
thead th { border-bottom: 2px solid var(--ink); }
tbody th { font-weight: 400; white-space: nowrap; }
tr.group th { background: var(--soft); font-weight: 600; }
td a { overflow-wrap: anywhere; }
td:nth-child(2) { min-width: 8rem; } td:nth-child(3) { min-width: 6rem; }
td:last-child { min-width: 13rem; }
.none { color: #666; }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; max-width: 900px; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.bar { fill: var(--felt); } .below { fill: #fff; stroke: var(--felt); }
.axis { stroke: var(--ink); } .grid { stroke: var(--line); stroke-width: 0.6; }
.curve { fill: none; stroke: var(--felt); stroke-width: 2; } .curve1 { stroke: #8a3b12; }
.curve2 { stroke: #0b4f7d; }
dt { font-weight: 600; margin-top: 0.6rem; } dd { margin: 0 0 0 1rem; }
.clauses { columns: 2; column-gap: 2rem; font-size: 0.85rem; }
.clauses dd { white-space: pre-line; }
td small { display: block; color: #444; max-width: 16rem; }
@media (max-width: 700px) { .clauses { columns: 1; } main { padding: 0.8rem; } }
@media print {
  @page { size: A4 landscape; margin: 12mm; }
  main { max-width: none; padding: 0; } body { font-size: 10pt; } table { font-size: 7.5pt; }
  .wide { overflow: visible; } tr, figure, dd { break-inside: avoid; } h2 { break-after: avoid; }
  a { color: inherit; text-decoration: none; } td a { white-space: normal; }
  .bar { print-color-adjust: exact; }
}
"""
