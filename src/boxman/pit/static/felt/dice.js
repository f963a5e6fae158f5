// <dice-pair>: two dice thrown in CSS 3-D. The roll is known before the throw begins; the throw is
// only its picture.
import { calm, h } from "../kit/dom.js";

// How a cube is turned so that this face looks at the viewer.
const TURN = { 1: [0, 0], 2: [0, -90], 3: [-90, 0], 4: [90, 0], 5: [0, 90], 6: [0, 180] };

function cube() {
  const faces = [1, 2, 3, 4, 5, 6].map((face) =>
    h("span", { class: `face face${face}` }, Array.from({ length: face }, () => h("i", {}))));
  return h("span", { class: "cube" }, faces);
}

class DicePair extends HTMLElement {
  connectedCallback() {
    if (this.cubes) return;
    this.cubes = [cube(), cube()];
    this.setAttribute("role", "img");
    this.append(...this.cubes.map((each) => h("span", { class: "die" }, each)));
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

  // Throw, and resolve when the dice rest.
  async throw(faces) {
    if (calm() || document.hidden) {
      this.rest(faces);
      return;
    }
    const runs = this.cubes.map((each, n) => {
      const [x, y] = TURN[faces[n]];
      const spin = n ? 1080 : 720;
      const far = n ? 190 : 240;
      return each.animate([
        { transform: `translate3d(-${far}px, -60px, 60px) rotateX(${x - spin}deg) rotateY(${y - spin - 180}deg) rotateZ(-140deg)` },
        { transform: `translate3d(24px, 6px, 0) rotateX(${x - 260}deg) rotateY(${y - 200}deg) rotateZ(24deg)`, offset: 0.55, easing: "ease-out" },
        { transform: `translate3d(${n ? 8 : -8}px, -14px, 18px) rotateX(${x - 90}deg) rotateY(${y - 60}deg) rotateZ(8deg)`, offset: 0.75 },
        { transform: `rotateX(${x}deg) rotateY(${y}deg)` },
      ], { duration: 950 + n * 130, easing: "ease-in" }).finished.catch(() => null);
    });
    this.rest(faces);
    await Promise.all(runs);
  }
}

customElements.define("dice-pair", DicePair);
