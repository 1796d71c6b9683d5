import type { FromPage, PageState } from '../protocol/pageMessages.ts';
import type { PageWords } from '../protocol/pageWords.ts';

interface Editor {
  postMessage(message: FromPage): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
}

declare function acquireVsCodeApi(): Editor;

export const editor = acquireVsCodeApi();

export function send(message: FromPage): void {
  editor.postMessage(message);
}

export function sends(message: FromPage): () => void {
  return () => {
    send(message);
  };
}

/** The sentences of the page, known before anything is drawn. */
export let pageTexts: PageWords;

export function setPageTexts(texts: PageWords): void {
  pageTexts = texts;
}
