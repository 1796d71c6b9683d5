/**
 * The page of a conversation in a browser without an editor, for what would
 * take the editor too long.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type {
  DrawnEntry,
  DrawnHead,
  InputState,
} from '../../src/protocol/drawn.ts';
import type { FromPage, ToPage } from '../../src/protocol/pageMessages.ts';
import { words } from '../../src/base/l10n.ts';
import { pageWords } from '../../src/protocol/pageWords.ts';
import { launchBrowser } from '../host/browser.ts';
import { root } from '../host/paths.ts';
import type { PageState } from './pageStates.ts';
import themeColours from './themeColours.json' with { type: 'json' };

export type Theme = keyof typeof themeColours;

export const bareThemes = [
  'dark',
  'light',
  'hc',
  'hcLight',
] as const satisfies readonly Theme[];

const kinds: Readonly<Record<Theme, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  hc: 'vscode-high-contrast',
  hcLight: 'vscode-high-contrast-light vscode-high-contrast',
};

export interface BarePage {
  readonly page: Page;
  /** Messages of the page, the oldest first. */
  readonly told: FromPage[];
  /** Addresses that the page has asked for, beside its own. */
  readonly asked: string[];
  tell(...messages: readonly ToPage[]): Promise<void>;
  /** Begins anew, in this state. */
  show(state: PageState, theme?: Theme): Promise<void>;
  /** Takes on the colours of a theme, as the editor gives them. */
  wear(theme: Theme): Promise<void>;
  close(): Promise<void>;
}

const address = 'http://page.invalid/';
const policy =
  "default-src 'none'; img-src data:; style-src 'self'; script-src 'nonce-n'";

interface BareOptions {
  readonly minify?: boolean;
  /** A browser to use, which stays open. */
  readonly browser?: Browser | undefined;
}

const built = new Map<boolean, Promise<readonly esbuild.OutputFile[]>>();

/** Builds the script and the styles of the page once. */
async function build(minify: boolean): Promise<readonly esbuild.OutputFile[]> {
  const config = pathToFileURL(join(root, 'build/page.mjs')).href;
  const { page: options } = (await import(config)) as {
    readonly page: esbuild.BuildOptions;
  };
  const { outputFiles } = await esbuild.build({
    ...options,
    absWorkingDir: root,
    write: false,
    minify,
  });
  return outputFiles;
}

export async function openBarePage(
  size = { width: 800, height: 600 },
  { minify = false, browser: shared }: BareOptions = {},
): Promise<BarePage> {
  const files = built.get(minify) ?? build(minify);
  built.set(minify, files);
  const outputFiles = await files;
  const file = (end: string) =>
    outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const browser = shared ?? (await launchBrowser());
  const page = await browser.newPage({ viewport: size });
  const told: FromPage[] = [];
  const asked: string[] = [];
  page.on('request', (request) => {
    if (
      !request.url().startsWith(address) &&
      !request.url().startsWith('data:')
    )
      asked.push(request.url());
  });
  await page.exposeFunction('tellEditor', (message: FromPage) => {
    told.push(message);
  });
  const bodies: Readonly<Record<string, readonly [string, string]>> = {
    [address]: ['text/html', html],
    [`${address}editor.js`]: ['text/javascript', editor],
    [`${address}page.js`]: ['text/javascript', file('.js')],
    [`${address}defaults.css`]: [
      'text/css',
      await readFile(join(root, 'test/ui/editorDefaults.css'), 'utf8'),
    ],
    [`${address}page.css`]: ['text/css', file('.css')],
  };
  await page.route('**/*', async (route) => {
    const [contentType, body] = bodies[route.request().url()] ?? [];
    if (body === undefined) await route.abort();
    else await route.fulfill({ contentType: contentType ?? '', body });
  });
  await page.goto(address);
  const bare: BarePage = {
    page,
    told,
    asked,
    tell: async (...messages) => {
      await page.evaluate((all: unknown[]) => {
        for (const each of all)
          (globalThis as unknown as { take(message: unknown): void }).take(
            each,
          );
      }, messages as unknown[]);
    },
    show: async ({ told: messages, then }, theme = 'dark') => {
      await page.goto(address);
      await bare.wear(theme);
      await bare.tell(...messages);
      await then?.(bare);
    },
    wear: async (theme) => {
      await page.evaluate(
        ({ colours, kind }) => {
          const { documentElement, body } = (
            globalThis as unknown as { document: Styled }
          ).document;
          for (const name of [...documentElement.style])
            if (name.startsWith('--vscode-'))
              documentElement.style.removeProperty(name);
          for (const [name, value] of colours)
            documentElement.style.setProperty(`--vscode-${name}`, value);
          body.className = kind;
        },
        { colours: Object.entries(themeColours[theme]), kind: kinds[theme] },
      );
    },
    close: () => (shared ? page : browser).close(),
  };
  await bare.wear('dark');
  return bare;
}

interface Styled {
  readonly documentElement: {
    readonly style: Iterable<string> & {
      setProperty(name: string, value: string): void;
      removeProperty(name: string): void;
    };
  };
  readonly body: { className: string };
}

const html = `<!DOCTYPE html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}"><link rel="stylesheet" href="defaults.css"><link rel="stylesheet" href="page.css"></head>
<body data-key="service id"><script nonce="n" src="editor.js"></script><script nonce="n" src="page.js"></script></body></html>`;

/** The API that the editor gives the page, and the way its messages arrive. */
const editor = `
let state;
window.acquireVsCodeApi = () => ({
  postMessage: (message) => { void window.tellEditor(message); },
  getState: () => state,
  setState: (next) => { state = next; },
});
window.keptState = () => state;
window.take = (data) => window.dispatchEvent(new MessageEvent('message', { data, origin: window.origin }));
`;

export function start(): ToPage {
  return {
    type: 'start',
    words: pageWords(words),
    language: 'en',
    enterSends: true,
    draft: '',
  };
}

export function entries(
  change: Partial<Extract<ToPage, { type: 'entries' }>>,
): ToPage {
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

export function says(
  id: string,
  text: string,
  by: 'person' | 'agent' = 'agent',
): DrawnEntry {
  const name = by === 'person' ? 'You' : 'Agent';
  return {
    id,
    kind: 'message',
    by,
    name,
    text,
    pictures: [],
    isStreaming: false,
    canFork: true,
    time: '12:00',
  };
}

export function does(id: string, command: string, step?: string): DrawnEntry {
  const line = ['Ran ', { code: command }];
  return {
    id,
    kind: 'action',
    line,
    hasDetails: true,
    state: 'done',
    icon: 'terminal',
    step,
    time: '12:00',
  };
}

export function head(change: Partial<DrawnHead> = {}): ToPage {
  return {
    type: 'head',
    head: {
      title: 'Fix the login',
      state: { text: 'Working', tone: 'busy' },
      connection: { text: 'Live', tone: 'good', canRetry: false },
      meters: [],
      facts: [['Model', 'a model']],
      buttons: [
        { run: 'showChanges', label: 'Show Changes', count: 3 },
        { run: 'takeOver', label: 'Take Over' },
      ],
      menu: [
        { run: 'copyId', label: 'Copy ID' },
        { run: 'rename', label: 'Rename' },
        { run: 'delete', label: 'Delete' },
      ],
      related: [],
      isOpenAtFirst: false,
      notes: [],
      ...change,
    },
  };
}

export function input(change: Partial<InputState> = {}): ToPage {
  return {
    type: 'input',
    input: { ways: [{ how: 'send', label: 'Send' }], ...change },
  };
}
