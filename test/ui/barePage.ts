/** The page of a conversation in a browser without an editor, for what would take the editor too long. */
import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { DrawnEntry, Head, InputState } from '../../src/protocol/drawn.ts';
import type { FromPage, ToPage } from '../../src/protocol/messages.ts';
import { pageWords } from '../../src/editor/words/pageWords.ts';
import { launchBrowser } from '../host/browser.ts';
import { root } from '../host/paths.ts';

export interface BarePage {
  readonly page: Page;
  /** What the page has told, the oldest first. */
  readonly told: FromPage[];
  /** Addresses that the page has asked for, beside its own. */
  readonly asked: string[];
  tell(...messages: readonly ToPage[]): Promise<void>;
  close(): Promise<void>;
}

const address = 'http://page.invalid/';
const policy = "default-src 'none'; img-src data:; style-src 'self'; script-src 'nonce-n'";

export async function openBarePage(size = { width: 800, height: 600 }): Promise<BarePage> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/webview/page.ts'],
    tsconfig: 'src/webview/tsconfig.json',
    bundle: true,
    write: false,
    outdir: 'unused',
    format: 'iife',
    mainFields: ['module', 'main'],
  });
  const file = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const browser: Browser = await launchBrowser();
  const page = await browser.newPage({ viewport: size });
  const told: FromPage[] = [];
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('data:')) asked.push(request.url());
  });
  await page.exposeFunction('tellEditor', (message: FromPage) => {
    told.push(message);
  });
  const bodies: Readonly<Record<string, readonly [string, string]>> = {
    [address]: ['text/html', html],
    [`${address}editor.js`]: ['text/javascript', editor],
    [`${address}page.js`]: ['text/javascript', file('.js')],
    [`${address}page.css`]: ['text/css', file('.css')],
  };
  await page.route('**/*', async (route) => {
    const [contentType, body] = bodies[route.request().url()] ?? [];
    if (body === undefined) await route.abort();
    else await route.fulfill({ contentType: contentType ?? '', body });
  });
  await page.goto(address);
  return {
    page,
    told,
    asked,
    tell: async (...messages) => {
      await page.evaluate((all: unknown[]) => {
        for (const each of all) (globalThis as unknown as { take(message: unknown): void }).take(each);
      }, messages as unknown[]);
    },
    close: () => browser.close(),
  };
}

const html = `<!DOCTYPE html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}"><link rel="stylesheet" href="page.css"></head>
<body data-key="service id"><script nonce="n" src="editor.js"></script><script nonce="n" src="page.js"></script></body></html>`;

/** What the editor gives the page, and how messages of the editor come. */
const editor = `
let state;
window.acquireVsCodeApi = () => ({
  postMessage: (message) => { void window.tellEditor(message); },
  getState: () => state,
  setState: (next) => { state = next; },
});
window.keptState = () => state;
window.take = (data) => window.dispatchEvent(new MessageEvent('message', { data, origin: window.origin }));
const variables = {
  'font-family': 'sans-serif', 'font-size': '13px', 'editor-background': '#1f1f1f', 'foreground': '#cccccc',
  'descriptionForeground': '#9d9d9d', 'input-background': '#313131', 'button-background': '#0078d4',
  'button-foreground': '#ffffff', 'button-secondaryBackground': '#313131', 'button-secondaryForeground': '#cccccc',
  'focusBorder': '#0078d4', 'textLink-foreground': '#4daafc', 'errorForeground': '#f85149',
};
for (const [name, value] of Object.entries(variables))
  document.documentElement.style.setProperty('--vscode-' + name, value);
`;

export function start(): ToPage {
  return { type: 'start', words: pageWords(), language: 'en', enterSends: true, draft: '' };
}

export function entries(change: Partial<Extract<ToPage, { type: 'entries' }>>): ToPage {
  return {
    type: 'entries',
    isReset: false,
    before: [],
    added: [],
    changed: [],
    removed: [],
    hasOlder: false,
    empty: undefined,
    ...change,
  };
}

export function says(id: string, text: string, by: 'person' | 'agent' = 'agent'): DrawnEntry {
  const name = by === 'person' ? 'You' : 'Agent';
  return { id, kind: 'message', by, name, text, pictures: [], isStreaming: false, time: '12:00' };
}

export function does(id: string, command: string, step?: string): DrawnEntry {
  const line = ['Ran ', { code: command }];
  return { id, kind: 'action', line, state: 'done', icon: 'terminal', step, time: '12:00' };
}

export function head(change: Partial<Head> = {}): ToPage {
  return {
    type: 'head',
    head: {
      title: 'Fix the login',
      state: { text: 'Working', tone: 'busy' },
      connection: { text: 'Live', tone: 'good', canRetry: false },
      facts: [['Model', 'a model']],
      actions: [{ run: 'copyId', label: 'Copy the ID' }],
      isOpenAtFirst: false,
      notes: [],
      ...change,
    },
  };
}

export function input(change: Partial<InputState> = {}): ToPage {
  return { type: 'input', input: { ways: [{ how: 'send', label: 'Send' }], ...change } };
}
