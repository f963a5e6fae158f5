// One WebSocket to a table: resumes from the last number seen, comes back by itself.
import { ask, post } from "./api.js";
import { callId } from "./dom.js";
import { say } from "./say.js";

const WAITS = [250, 500, 1000, 2000, 4000];
const SIGNED_OUT = 4401;
const NOBODY = 4404;
const TOO_FAST = "too-fast";
const BREATH = 700;
const AT_ONCE = 20;
const PATIENCE = 8000;

// Every seat says whether it is the viewer's; a menu says of which moment it is.
function owned(view, menu = false) {
  if (menu && view.menu) view.menu = { ...view.menu, phase: view.phase, puck: view.puck };
  const seats = (view.seats || []).map((seat) => ({ ...seat, you: seat.name === view.me?.seat }));
  return { ...view, seats };
}

// How long the others still have is said in milliseconds from now.
function timed(view) {
  return view.asked ? { ...view, asked: { by: view.asked.by, until: Date.now() + view.asked.left } } : view;
}

export class Link extends EventTarget {
  constructor(table) {
    super();
    this.table = table;
    this.number = 0;
    this.view = null;
    this.turn = 0; // throws, so that nothing is said of another than it was meant for
    this.open = false;
    this.tries = 0;
    this.waiting = new Map();
    this.closed = false;
    this.enter();
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  get address() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = new URLSearchParams();
    const token = new URLSearchParams(location.search).get("token");
    if (token) query.set("token", token);
    if (this.number) query.set("after", this.number);
    const tail = query.size ? `?${query}` : "";
    return `${scheme}://${location.host}/ws/tables/${encodeURIComponent(this.table)}${tail}`;
  }

  // Whoever is not in the house yet comes in as somebody who watches.
  async enter() {
    try {
      const me = await ask("/api/me");
      if (!me.person) await post(`/api/tables/${encodeURIComponent(this.table)}/watch${location.search}`);
      this.connect();
    } catch (error) {
      if (error.status === 404) return this.tell("missing", { reason: error.message });
      this.tell("gone");
      this.later(() => this.enter());
    }
  }

  later(act) {
    const wait = WAITS[Math.min(this.tries, WAITS.length - 1)];
    this.tries += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(act, wait);
  }

  connect() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.tries = 0;
      this.open = true;
      this.caught = false;
      this.tell("open");
    });
    socket.addEventListener("message", (event) => {
      if (this.socket !== socket) return;
      [JSON.parse(event.data)].flat().forEach((each) => this.hear(each));
      if (!this.caught) this.caughtUp();
    });
    socket.addEventListener("close", (event) => {
      if (this.socket !== socket || this.closed) return;
      this.open = false;
      if (event.code === NOBODY) return this.tell("missing", { reason: event.reason });
      this.tell("gone", { code: event.code });
      this.later(() => (event.code === SIGNED_OUT ? this.enter() : this.connect()));
    });
  }

  hurry() {
    if (!this.open && !this.closed && this.socket?.readyState === WebSocket.CLOSED) this.connect();
  }

  close() {
    this.closed = true;
    this.socket.close();
  }

  again() {
    // Who one is at the table changed: a new connection begins from a snapshot.
    const old = this.socket;
    this.socket = null;
    this.open = false;
    this.number = 0;
    old?.close();
    this.connect();
  }

  tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  hear(message) {
    if (message.number !== undefined && message.is !== "answer") {
      if (message.is === "row" && message.number <= this.number) return;
      this.number = Math.max(this.number, message.number);
    }
    if (message.is === "snapshot") {
      this.caught = false;
      this.number = message.number;
      this.turn += message.view.rolls !== this.view?.rolls;
      this.view = owned(timed(message.view), true);
      this.tell("snapshot", message);
      this.tell("view", { view: this.view });
    } else if (message.is === "row") {
      this.stored(message);
      const rolled = (message.decided || []).some((each) => each.type === "rolled");
      this.turn += rolled;
      // Who was ready was ready for this throw.
      this.merge(rolled ? { ready: [], asked: null, ...message.view } : message.view || {});
      this.tell("row", message);
      this.tell("view", { view: this.view });
    } else if (message.is === "view") {
      this.merge(message.view || {});
      this.tell("view", { view: this.view });
    } else if (message.is === "answer") {
      const asked = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      asked?.done(message);
      this.tell("answer", message);
    } else {
      if (message.code === TOO_FAST) {
        this.slower();
        return;
      }
      if (message.id) {
        this.waiting.get(message.id)?.done({
          refused: { code: message.code, sentence: message.message, clauses: [] },
        });
        this.waiting.delete(message.id);
        return;
      }
      this.tell(message.is || "unknown", message);
    }
  }

  merge(changes) {
    if (!this.view) return;
    const { seats, gone, menu_changes: menu, ...rest } = timed(changes);
    this.view = { ...this.view, ...rest };
    if (menu && this.view.menu) {
      const choices = { ...this.view.menu.choices, ...menu.choices };
      for (const [spot, choice] of Object.entries(choices)) if (choice === null) delete choices[spot];
      this.view.menu = { ...this.view.menu, ...menu, choices };
    }
    if (seats) {
      const byName = new Map(this.view.seats.map((seat) => [seat.name, seat]));
      for (const seat of seats) byName.set(seat.name, { ...byName.get(seat.name), ...seat });
      this.view.seats = [...byName.values()];
    }
    if (gone?.length) this.view.seats = this.view.seats.filter((each) => !gone.includes(each.name));
    this.view = owned(this.view, Boolean(menu || rest.menu));
  }

  // A call that is on record got through, even if its answer did not.
  stored(row) {
    const id = row.id?.slice(row.id.indexOf("/") + 1);
    const asked = this.waiting.get(id);
    if (!asked || this.caught) return;
    this.waiting.delete(id);
    asked.done({ is: "answer", id, number: row.number, refused: row.refused });
  }

  // Back again and told what was missed. What was asked and never heard is asked again under the
  // same id, so that it counts once; but not for another roll than it was meant for.
  caughtUp() {
    this.caught = true;
    for (const [id, { message, turn, done }] of [...this.waiting]) {
      if (turn === this.turn) this.socket.send(JSON.stringify(message));
      else {
        this.waiting.delete(id);
        done({ refused: { code: "late", clauses: [], sentence: say("shell.late") } });
      }
    }
    this.tell("caught");
  }

  // Make a call; resolves with the answer. Nothing is lost if the server goes in between.
  call(call, station) {
    return this.send(station ? { call, station } : { call });
  }

  // The same in words: a line of the notation, without the name of its maker.
  line(line) {
    return this.send({ line });
  }

  // A wager put down by mistake since the last throw: the automatic box is asked for it back.
  undo(spot) {
    return this.send({ do: "undo", spot });
  }

  send(what) {
    const id = callId();
    const message = { do: "call", id, ...what };
    return new Promise((done) => {
      this.waiting.set(id, { message, done, turn: this.turn });
      if (this.open && this.caught) this.socket.send(JSON.stringify(message));
      // An answer that got lost is asked for again: under one id a call counts once.
      setTimeout(() => this.waiting.has(id) && this.slower(), PATIENCE);
    });
  }

  // The server asks for a breath: what still waits is said again after one, a few at a time.
  slower() {
    if (this.breath) return;
    this.breath = setTimeout(() => {
      this.breath = 0;
      if (!this.open || !this.waiting.size) return;
      for (const { message } of [...this.waiting.values()].slice(0, AT_ONCE)) {
        this.socket.send(JSON.stringify(message));
      }
      this.slower();
    }, BREATH);
  }

  say(message) {
    if (this.open) this.socket.send(JSON.stringify(message));
  }
}
