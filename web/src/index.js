// Chess for the web: rules, engine, levels, reviews.

export { Engine } from "./engine.js";
export * from "./rules.js";

/** @typedef {import("./engine.js").EngineOptions} EngineOptions */
/** @typedef {import("./engine.js").WorkerLike} WorkerLike */
/** @typedef {import("./engine.js").PositionSpec} PositionSpec */
/** @typedef {import("./engine.js").LimitSpec} LimitSpec */
/** @typedef {import("./engine.js").Info} Info */
/** @typedef {import("./engine.js").BestMove} BestMove */
/** @typedef {import("./engine.js").Progress} Progress */
/** @typedef {import("./review.js").GameReport} GameReport */
/** @typedef {import("./review.js").MoveReport} MoveReport */
