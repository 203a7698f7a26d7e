// Chess for the web: rules, engine, levels, reviews.

export { Engine } from "./engine.js";
export * from "./rules.js";
