/** Loaded together, to show what agents have changed. */
export { ReviewComments } from './reviewComments.ts';
export { ChangeDocuments } from './documents.ts';
export { offerMore } from './offerMore.ts';
