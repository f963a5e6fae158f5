// What several forms have: a house, an amount, something to do when they are sent.
import { once } from "./api.js";
import { trouble } from "./dialog.js";
import { field, h, select } from "./dom.js";

export const onSubmit = (form, act, otherwise = trouble) => form.addEventListener("submit", (event) => {
  event.preventDefault();
  act().catch(otherwise);
});

// Houses to choose from; a name in an address that no house has is said, not replaced.
export async function housesAnd(wanted, otherwise = "") {
  const { houses } = await once("/api/houses");
  if (wanted && !houses.some((each) => each.house === wanted)) {
    throw new Error(`There is no house “${wanted}” here. There are: ${houses.map((each) => each.house).join(", ")}.`);
  }
  const chosen = wanted || (houses.find((each) => each.house === otherwise) || houses[0]).house;
  return { houses, choice: select(houses.map((each) => [each.house, each.title]), chosen, { name: "house" }) };
}

export const amountField = (label, name, value, more = {}) => field(label, h("input", { name, value, required: true, inputmode: "decimal",
  pattern: "\\d{1,9}(\\.\\d{1,2})?", title: "An amount like 5 or 2.50", ...more }));
