// The bar on every page: where one is, where one may go, who one is.
import { ask } from "./api.js";
import { button, find, h, keep, put, select } from "./dom.js";
import { say } from "./say.js";

// The colours of the pages: kept on this device.
function dress(theme = keep.get("theme", "dark")) {
  keep.set("theme", theme);
  document.documentElement.dataset.theme = theme;
}
dress();

export const themes = (more = {}) => select(["dark", "light", "clear"].map((each) =>
  [each, say(`settings.theme.${each}`)]), keep.get("theme", "dark"),
{ name: "theme", onchange: ({ target }) => dress(target.value), ...more });

export const PLACES = [
  ["/", say("places.lobby")],
  ["/rulebook", say("places.rulebooks")],
  ["/odds", say("places.odds")],
  ["/strategy", say("places.strategies")],
  ["/solve", say("places.solve")],
  ["/school", say("places.school")],
];

export function bar() {
  const links = PLACES.map(([address, text]) => {
    const here = address === "/" ? location.pathname === "/" : location.pathname.startsWith(address);
    return h("li", {}, h("a", { href: address, "aria-current": here ? "page" : null }, text));
  });
  const who = h("div", { class: "who" });
  const nav = h("nav", { "aria-label": "Boxman", id: "places" }, h("ul", {}, links,
    h("li", {}, themes({ "aria-label": say("settings.theme.label") }))));
  const toggle = button(say("shell.menu"), () => {
    const open = nav.classList.toggle("open");
    toggle.setAttribute("aria-expanded", String(open));
  }, { class: "quiet toggle", "aria-expanded": "false", "aria-controls": "places" });
  put(find("#bar"),
    h("a", { class: "brand", href: "/", "aria-label": say("shell.home") },
      h("span", { class: "mark", "aria-hidden": "true" }),
      h("span", {}, "Boxman")),
    h("div", { class: "bar-middle" }), toggle, nav, who);
  whoami(who);
}

async function whoami(who) {
  const me = await ask("/api/me").catch(() => null);
  if (!me) return;
  if (me.person && !me.guest) {
    put(who, h("a", { href: "/me" }, me.name || me.person), button(say("shell.sign-out"), async () => {
      await ask("/api/session", { method: "DELETE" }).catch(() => null);
      location.assign("/");
    }, { class: "quiet" }));
  } else {
    put(who, me.person && h("a", { href: "/me", class: "hide-small" }, say("shell.me")),
      h("a", { href: "/sign-in" }, say("shell.sign-in")));
  }
}

export const part = (index) => decodeURIComponent(location.pathname.split("/")[index] || "");

export const heading = (text, lead = "") =>
  h("div", { class: "page-head" }, h("h1", {}, text), lead && h("p", { class: "lead" }, lead));

// An address that leads nowhere: say so and show the way out.
export function nowhere(title, lead, more = "") {
  document.title = `${title} · Boxman`;
  put(find("#main"), h("div", { class: "panel nowhere" }, heading(title, lead), more && h("p", {}, more),
    h("a", { class: "button main", href: "/" }, say("shell.to-lobby"))));
}

export function noTable({ detail }) {
  find("#bar").replaceChildren();
  const why = detail.reason || say("shell.closed");
  nowhere(say("shell.no-table"), `${why[0].toUpperCase()}${why.slice(1)}.`, say("shell.practice"));
}

// The page's address holds the whole question; one that follows an answered one is a step that Back takes back.
export function remember(values, step = false) {
  const wanted = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    [value].flat().forEach((each) => {
      if (each !== "" && each !== null && each !== undefined) wanted.append(name, each);
    });
  }
  const address = `${location.pathname}${wanted.size ? `?${wanted}` : ""}${location.hash}`;
  const other = address !== `${location.pathname}${location.search}${location.hash}`;
  history[step && other ? "pushState" : "replaceState"](null, "", address);
}

export const asked = () => new URLSearchParams(location.search);
