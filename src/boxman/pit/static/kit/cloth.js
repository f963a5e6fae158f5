// The cloth of a table: the house under the settings the table was opened with.
import { once } from "./api.js";

export function clothOf(view) {
  if (view.table) return once(`/api/tables/${encodeURIComponent(view.table)}/felt`);
  const query = new URLSearchParams({ chip: view.chip });
  for (const [name, value] of Object.entries(view.settings || {})) {
    if (value !== null && value !== "None") query.append("set", `${name}=${value}`);
  }
  return once(`/api/houses/${encodeURIComponent(view.house)}/felt?${query}`);
}
