/** Loaded together, for the commands other than `list` and `get`. */
export { check } from './check.ts';
export { checkServer } from './checkServer.ts';
export { helpTexts } from './helpTexts.ts';
export { add, disable, enable, remove } from './serverChanges.ts';
export { tools } from './tools.ts';
