/** Loaded together, for commands other than `list` and `get`. */
export { check } from './check.ts';
export { checkServer } from './checkServer.ts';
export { helpTexts } from './helpTexts.ts';
export { add, changeServer } from './serverChanges.ts';
export { tools } from './tools.ts';
