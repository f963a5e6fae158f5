// <dice-pair>: two dice thrown in CSS 3-D. The roll is known before the throw begins; the throw is
// only its picture.
import { calm, h, s } from "../kit/dom.js";
import { drawnDie } from "./print.js";

// How a cube is turned so that this face looks at the viewer.
const TURN = { 1: [0, 0], 2: [0, -90], 3: [-90, 0], 4: [90, 0], 5: [0, 90], 6: [0, 180] };

function cube() {
  const faces = [1, 2, 3, 4, 5, 6].map((face) =>
    h("span", { class: `face face${face}` }, s("svg", { viewBox: "0 0 30 30" }, drawnDie(face, 0, 0, 30))));
  return h("span", { class: "cube" }, faces);
}

class DicePair extends HTMLElement {
  connectedCallback() {
    if (this.cubes) return;
    this.cubes = [cube(), cube()];
    this.dice = this.cubes.map((each) => h("span", { class: "die" }, each));
    this.setAttribute("role", "img");
    this.append(...this.dice);
    this.rest([1, 1], false);
    this.setAttribute("aria-label", "The dice have not been thrown");
  }

  rest(faces, known = true) {
    faces.forEach((face, n) => {
      const [x, y] = TURN[face];
      this.cubes[n].style.transform = `rotateX(${x}deg) rotateY(${y}deg)`;
    });
    this.classList.toggle("unknown", !known);
    this.setAttribute("aria-label", `The dice show ${faces[0]} and ${faces[1]}`);
  }

  // Throw from so far away, and resolve when the dice rest: they fly, strike the wall, come back
  // and roll out, each a little later and another way than the other.
  async throw(faces, [far, high] = [-240, -60]) {
    if (calm() || document.hidden) {
      this.rest(faces);
      return;
    }
    const runs = this.cubes.flatMap((each, n) => {
      const [x, y] = TURN[faces[n]];
      const way = far < 0 ? 1 : -1;
      const spin = (n ? 1080 : 720) * way;
      const timing = { duration: 950 + n * 130, easing: "linear" };
      const path = this.dice[n].animate([
        { transform: `translate(${far * (n ? 0.8 : 1)}px, ${high}px) scale(1.5)`, easing: "cubic-bezier(.3,.1,.7,1)" },
        { transform: `translate(${way * (n ? 44 : 30)}px, ${n ? -20 : 12}px) scale(1.05)`, offset: 0.5,
          easing: "ease-out" },
        { transform: `translate(${way * (n ? -16 : -26)}px, ${n ? -4 : -10}px) scale(1.18)`, offset: 0.68,
          easing: "ease-in" },
        { transform: `translate(${way * -8}px, ${n ? 3 : 2}px) scale(1)`, offset: 0.84, easing: "ease-out" },
        { transform: "none" },
      ], timing);
      const turn = each.animate([
        { transform: `rotateX(${x - spin}deg) rotateY(${y - spin - 180}deg) rotateZ(${-140 * way}deg)` },
        { transform: `rotateX(${x - 260 * way}deg) rotateY(${y - 200 * way}deg) rotateZ(${24 * way}deg)`, offset: 0.5,
          easing: "ease-out" },
        { transform: `rotateX(${x - 90 * way}deg) rotateY(${y - 60 * way}deg) rotateZ(${8 * way}deg)`, offset: 0.75,
          easing: "ease-out" },
        { transform: `rotateX(${x}deg) rotateY(${y}deg)` },
      ], timing);
      return [path, turn].map((run) => run.finished.catch(() => null));
    });
    this.rest(faces);
    await Promise.all(runs);
  }

  // The same over the cloth, from the rail's end to the far wall, in the part that is in sight.
  async fly(faces, cloth) {
    const { left, top, right, bottom, width } = cloth.getBoundingClientRect();
    const [first, last] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
    if (calm() || document.hidden || last - first < 120) return this.throw(faces);
    this.style.left = `${left + width * 0.3}px`;
    this.style.top = `${first + (last - first) * 0.4}px`;
    this.classList.add("up");
    await this.throw(faces, [(right - left) * 0.75, (last - first) * 0.35]);
    this.animate([{ opacity: 1, offset: 0.6 }, { opacity: 0 }], 900).finished.then(
      () => this.classList.remove("up"), () => null);
  }
}

customElements.define("dice-pair", DicePair);
