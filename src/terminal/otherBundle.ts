/** Loaded together, for commands other than `list` and `get`. */
export { checkCommand } from './check.ts';
export { checkRunCommand } from './checkServer.ts';
export { helpTexts } from './helpTexts.ts';
export { addCommand, changeServer } from './serverChanges.ts';
export { toolsCommand } from './tools.ts';
