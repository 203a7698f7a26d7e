// Chess for the web: engine, levels, reviews.

export { Engine } from "./engine.js";
export { BartizanError } from "./error.js";
