// An address that leads nowhere.
import { bar, nowhere } from "../kit/shell.js";

bar();
nowhere("No such page", `There is nothing at ${location.pathname.slice(0, 80)}.`);
