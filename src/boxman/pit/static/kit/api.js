// Talks JSON to the server. A failure is one Error with a sentence for people.
import { say } from "./say.js";
export class Trouble extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export async function ask(path, { method = "GET", body, signal } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      signal,
      credentials: "same-origin",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Trouble(say("trouble.unreachable"), 0);
  }
  const text = await answer.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = null;
  }
  if (!answer.ok) throw new Trouble(data?.message || say("trouble.answered", { status: answer.status }), answer.status);
  return data;
}

export const post = (path, body = {}) => ask(path, { method: "POST", body });

// Guests have a name for the day; one with another name is another guest.
export async function asGuest(name) {
  const me = await ask("/api/me");
  if (me.person && !me.guest) return me;
  if (me.person && (me.name === name || me.tables?.length)) return me;
  return post("/api/session", { name, guest: true });
}

const remembered = new Map();

// What never changes while a page is open is asked for once.
export function once(path) {
  if (!remembered.has(path)) {
    const promise = ask(path);
    promise.catch(() => remembered.delete(path));
    remembered.set(path, promise);
  }
  return remembered.get(path);
}

// A table is asked itself what its rules are: its rulebook may be one that the house has no more.
export const pathOf = ({ table, house }) => table ? `/api/tables/${encodeURIComponent(table)}`
  : `/api/houses/${encodeURIComponent(house)}`;

// Of a house by its id, or of {table}; on a table's own pages always of the table.
export function clauseOf(where, id) {
  const [, page, table] = location.pathname.split("/");
  const at = ["table", "console", "inspect"].includes(page) && table;
  const base = pathOf(at ? { table } : where.table ? where : { house: where });
  return once(`${base}/clauses/${encodeURIComponent(id)}`);
}

// The cloth of a table: the house under the settings the table was opened with.
export function clothOf(view) {
  if (view.table) return once(`${pathOf(view)}/felt`);
  const query = new URLSearchParams({ chip: view.chip });
  for (const [name, value] of Object.entries(view.settings || {})) {
    if (value !== null && value !== "None") query.append("set", `${name}=${value}`);
  }
  return once(`${pathOf(view)}/felt?${query}`);
}
