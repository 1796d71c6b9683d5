/**
 * The folder of an agent whose files a test changes, as a service would report
 * them.
 */
import { createHash } from 'node:crypto';
import type { Conversation } from '../../src/service/model/entities.ts';
import type {
  ChangedFile,
  ChangedFiles,
  ChangesSince,
  FileChanges,
  FileSide,
  FileSides,
} from '../../src/service/abilities/fileChanges.ts';
import { ConversationChanges } from '../../src/state/changes/changedFiles.ts';
import type { AgentLocations } from '../../src/state/conversation/agentLocations.ts';

export interface FolderFile {
  readonly text: string;
  readonly from?: string;
}

/** Texts that begin so are too large for the service. */
export const tooLarge = 'too large';

export class ChangingFolder implements FileChanges {
  base: ReadonlyMap<string, string>;
  /** Differs when the branch was rewritten. */
  baseCommit = 'a'.repeat(40);
  readonly now: Map<string, FolderFile>;
  /** False for a service that lists only names. */
  tellsVersions = true;
  /** Ids of the user's messages, in their order. */
  readonly messageIds: string[] = [];
  patchBytes = 0;
  /** Paths whose contents were asked for. */
  readonly read: string[] = [];

  constructor(base: Readonly<Record<string, string>>) {
    this.base = new Map(Object.entries(base));
    this.now = new Map([...this.base].map(([path, text]) => [path, { text }]));
  }

  get files(): readonly ChangedFile[] {
    const moved = new Set([...this.now.values()].map(({ from }) => from));
    const paths = [
      ...new Set([...this.base.keys(), ...this.now.keys()]),
    ].sort();
    return paths.flatMap((path) => {
      const [before, after] = [this.base.get(path), this.now.get(path)];
      if (after?.from !== undefined)
        return this.#file(path, 'moved', after.from);
      if (before === after?.text || (!after && moved.has(path))) return [];
      return this.#file(
        path,
        before === undefined ? 'added' : after ? 'updated' : 'deleted',
        undefined,
      );
    });
  }

  async list(_?: string, since: ChangesSince = 'start'): Promise<ChangedFiles> {
    await Promise.resolve();
    const patch = {
      bytes: new Uint8Array(this.patchBytes),
      base: this.baseCommit,
      head: undefined,
      branch: undefined,
    };
    return {
      since,
      files: this.files,
      root: '/work',
      patch: this.tellsVersions ? patch : undefined,
    };
  }

  async contents(
    _: string,
    __: ChangedFiles,
    file: ChangedFile,
  ): Promise<FileSides> {
    await Promise.resolve();
    this.read.push(file.path);
    const { before, after } = this.sides(file);
    const isListed =
      file.version === undefined || file.version === this.#version(file);
    return {
      before,
      after: after.kind === 'bytes' ? { ...after, exact: isListed } : after,
    };
  }

  sides({ path, from }: Pick<ChangedFile, 'path' | 'from'>): FileSides {
    return {
      before: sideOf(this.base.get(from ?? path)),
      after: sideOf(this.now.get(path)?.text),
    };
  }

  /** The state of a window. */
  changes(): ConversationChanges {
    return new ConversationChanges(() => this.locations());
  }

  locations(): AgentLocations {
    const events = () => ({
      fetch: () => {
        const items = this.messageIds.map((id) => ({
          id,
          kind: 'message',
          source: 'user',
          text: 'Go on',
        }));
        return Promise.resolve({
          items: items.toReversed(),
          cursor: undefined,
        });
      },
    });
    const use = (
      _: Conversation,
      __: object,
      work: (location: object) => unknown,
    ) => work({ status: 'ready', changes: this, steering: { events } });
    return { use } as unknown as AgentLocations;
  }

  #file(
    path: string,
    status: ChangedFile['status'],
    from: string | undefined,
  ): ChangedFile {
    const version = this.tellsVersions
      ? this.#version({ path, from })
      : undefined;
    return {
      path,
      status,
      from,
      version,
      modes: { before: undefined, after: undefined },
      binary: false,
    };
  }

  #version({ path, from }: Pick<ChangedFile, 'path' | 'from'>): string {
    const texts = [this.base.get(from ?? path), this.now.get(path)?.text];
    return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  }
}

function sideOf(text: string | undefined): FileSide {
  if (text === undefined) return { kind: 'none' };
  if (text.startsWith(tooLarge)) return { kind: 'tooLarge' };
  return { kind: 'bytes', bytes: Buffer.from(text), exact: true };
}
