/** Loaded together, to show what agents have changed. */
export { ReviewComments } from '../review/reviewComments.ts';
export { ChangeDocuments } from './documents.ts';
export { offerMore } from './offerMore.ts';
