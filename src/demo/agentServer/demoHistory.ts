/**
 * The demo's repositories before its agents begin: real Git commits, the same
 * in every run.
 */
import { createHash } from 'node:crypto';
import { demoServices } from '../world/demoServices.ts';
import { FirstConversations } from '../world/firstConversations.ts';
import type { Story } from '../world/stories.ts';
import { projectOf } from './folders.ts';

/** Texts by path. */
export type Texts = ReadonlyMap<string, string>;

export interface BaseCommit {
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  readonly at: number;
  readonly texts: Texts;
}

const author = 'Ada Lind';
const email = 'ada@northwind.example';

const firstAt = Date.UTC(2025, 10, 3, 9, 30);
const lastAt = Date.UTC(2025, 10, 21, 16, 5);

/**
 * Returns the commits of the repository in this folder, newest first. All
 * conversations start from the newest.
 */
export function historyOf(folder: string): readonly [BaseCommit, BaseCommit] {
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  const readme = `# ${name}\n\nA repository of the demo of Agent Switchboard. Nothing in it is real: delete it when you like.\n`;
  const texts = new Map([['README.md', readme]]);
  const first = commit('First version', firstAt, new Map(texts));
  for (const story of storiesIn(folder))
    for (const [path, text] of originalsOf(story))
      if (!texts.has(path)) texts.set(path, text);
  return [commit('Update dependencies', lastAt, texts, first.sha), first];
}

/** Formats the history for `git fast-import`. */
export function importStream(history: readonly BaseCommit[]): string {
  const commits = history.toReversed().map(({ subject, at, texts }) => {
    const files = [...texts].map(
      ([path, text]) => `M 100644 inline ${path}\n${data(text)}\n`,
    );
    return `commit refs/heads/main\nauthor ${signature(at)}\ncommitter ${signature(at)}\n${data(`${subject}\n`)}${files.join('')}\n`;
  });
  return commits.join('');
}

/** Returns the original files that a story changes. */
export function originalsOf({ steps, wants }: Story): Texts {
  const texts = new Map<string, string>();
  for (const { calls } of [...steps, ...wants])
    for (const { observation } of calls) {
      const { path, old_content: text } = observation;
      if (
        typeof path === 'string' &&
        typeof text === 'string' &&
        !texts.has(path)
      )
        texts.set(path, text);
    }
  return texts;
}

/**
 * Returns the stories of both services in a repository, so one clone has the
 * base commits of both.
 */
export function storiesIn(folder: string): readonly Story[] {
  return demoServices.flatMap(({ seed, conversations, written }) => {
    const first = new FirstConversations(seed, conversations, 0, [], written);
    return Array.from({ length: conversations }, (_, position) => position)
      .filter(
        (position) => projectOf(first.repository(position)?.name) === folder,
      )
      .map((position) => first.story(position));
  });
}

function commit(
  subject: string,
  at: number,
  texts: Texts,
  parent?: string,
): BaseCommit {
  const parents = parent === undefined ? '' : `parent ${parent}\n`;
  const head = `tree ${treeOf(texts).toString('hex')}\n${parents}`;
  const content = `${head}author ${signature(at)}\ncommitter ${signature(at)}\n\n${subject}\n`;
  return {
    sha: objectId('commit', content).toString('hex'),
    subject,
    author,
    at,
    texts,
  };
}

function signature(at: number): string {
  return `${author} <${email}> ${at / 1_000} +0000`;
}

function treeOf(texts: Texts): Buffer {
  const folders = new Map<string, Map<string, string>>();
  /** Keyed by the names that Git sorts tree entries by. */
  const entries = new Map<string, Buffer>();
  for (const [path, text] of texts) {
    const [, folder, rest] = /^([^/]+)\/(.+)$/.exec(path) ?? [];
    if (folder === undefined || rest === undefined)
      entries.set(path, treeEntry('100644', path, objectId('blob', text)));
    else
      folders.set(
        folder,
        (folders.get(folder) ?? new Map<string, string>()).set(rest, text),
      );
  }
  for (const [name, inside] of folders)
    entries.set(`${name}/`, treeEntry('40000', name, treeOf(inside)));
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
  return objectId('tree', Buffer.concat(sorted.map(([, bytes]) => bytes)));
}

function treeEntry(mode: string, name: string, id: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), id]);
}

/** Computes the Git id of an object. */
export function objectId(kind: string, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return createHash('sha1')
    .update(`${kind} ${bytes.byteLength}\0`)
    .update(bytes)
    .digest();
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}
