/** Loaded together, for the first command. */
export { openConversationLink } from './openConversationLink.ts';
export { commandRunner } from './commandRunner.ts';
