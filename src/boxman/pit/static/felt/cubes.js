// Two dice on the cloth: thrown to the far wall, they bounce and stay where they come to rest until the next throw.
// The roll is known before the throw begins; the throw is only its picture.
import { calm, h, s } from "../kit/dom.js";
import { say } from "../kit/say.js";
import { drawnDie } from "./print.js";

const FLIGHT = 400;
const TURN = { 1: [0, 0], 2: [0, -90], 3: [-90, 0], 4: [90, 0], 5: [0, 90], 6: [0, 180] };
const SPIN = [13, -16];

const resting = (face, n) => {
  const [x, y] = TURN[face];
  return `rotateX(26deg) rotateZ(${SPIN[n]}deg) rotateX(${x}deg) rotateY(${y}deg)`;
};

function die() {
  const cube = h("span", { class: "cube" }, [1, 2, 3, 4, 5, 6].flatMap((face) => [
    h("i", { class: `core f${face}` }),
    h("i", { class: `plane f${face}` }, s("svg", { viewBox: "0 0 30 30" }, drawnDie(face, 0, 0, 30))),
  ]));
  return { cube, element: h("span", { class: "cloth-die" }, h("span", { class: "die-shadow" }), cube) };
}

export class Cubes {
  constructor(felt) {
    this.felt = felt;
    this.dice = [die(), die()];
    this.total = h("output", { class: "great", "aria-hidden": "true" });
    this.element = h("div", { class: "cloth-dice", role: "img", "aria-label": say("table.no-dice") },
      this.dice.map((each) => each.element));
    this.faces = null;
    this.runs = [];
    felt.addEventListener("laid", () => this.lay());
  }

  // Where they lie on the cloth as it is now.
  lay() {
    const rest = this.felt.rest;
    this.element.hidden = !rest || !this.faces;
    if (!rest) return;
    this.element.style.setProperty("--d", `${rest.size}px`);
    this.at = rest;
    this.dice.forEach(({ element }, n) => {
      element.style.left = `${rest.x + n * rest.size * 1.45}px`;
      element.style.top = `${rest.y + (n ? -3 : 4)}px`;
    });
  }

  rest(faces) {
    this.faces = faces;
    faces.forEach((face, n) => {
      this.dice[n].cube.style.transform = resting(face, n);
    });
    this.element.setAttribute("aria-label", say("table.dice-show", { first: faces[0], second: faces[1] }));
    this.lay();
  }

  // Ends the flight at once.
  land() {
    for (const run of this.runs) run.finish();
  }

  async throw(faces) {
    this.rest(faces);
    if (calm() || document.hidden || this.element.hidden) return;
    this.runs = this.dice.flatMap(({ element, cube }, n) => this.#fly(element, cube, faces[n], n));
    await Promise.all(this.runs.map((run) => run.finished.catch(() => null)));
    this.runs = [];
  }

  #fly(element, cube, face, n) {
    const { x, y, W: width, H: height } = this.at;
    const shade = element.firstElementChild;
    const wall = [-x + 30 + n * 46, -y + height * (0.22 + n * 0.12)];
    const hop = [wall[0] * 0.42, wall[1] * 0.3];
    const path = [[width - x + 60, height - y - 40, 1.7, 0], [...wall, 1.15, 0.42], [...hop, 1.32, 0.64],
      [hop[0] * 0.3, hop[1] * 0.3, 1.02, 0.82], [0, 0, 1, 1]];
    const time = { duration: FLIGHT + n * 40, easing: "linear", fill: "backwards" };
    const rest = resting(face, n);
    const turned = (a, b, c) => `rotateX(${a}deg) rotateY(${b}deg) rotateZ(${c}deg) ${rest}`;
    return [
      shade.animate(path.map(([, , z, offset]) => ({ offset, opacity: 1.5 - z * 0.5,
        transform: `translate(${(z - 1) * 40}px, ${(z - 1) * 90}px) scale(${1 + (z - 1) * 0.5})` })), time),
      cube.animate([{ transform: turned(900 + n * 200, -760 + n * 240, 300) },
        { transform: turned(240 + n * 60, -180, 90), offset: 0.6 },
        { transform: turned(0, 0, 0) }], { ...time, easing: "cubic-bezier(.3,.5,.4,1)" }),
      element.animate(path.map(([dx, dy, z, offset]) => ({ offset,
        transform: `translate(${dx}px, ${dy}px) scale(${z})` })), time),
    ];
  }

  // The total, large, for a moment.
  call(total) {
    this.total.textContent = total;
    if (calm() || document.hidden) return;
    this.total.animate([{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "none", offset: 0.25 },
      { opacity: 1, offset: 0.75 }, { opacity: 0 }], { duration: 700 });
  }
}
