// An address that leads nowhere.
import { say } from "../kit/say.js";
import { bar, nowhere } from "../kit/shell.js";

bar();
nowhere(say("nowhere.title"), say("nowhere.nothing", { path: location.pathname.slice(0, 80) }));
