import type { ConversationKey } from '../../service/model/entities.ts';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sleep } from '../../base/clock.ts';
import { isBusy, type Machine, thisMachine } from '../../files/machine.ts';
import { createTemporary, temporaryPath } from '../../files/temporary.ts';
import {
  type ChangedFile,
  type ChangedFiles,
  type FileSide,
  type FileSides,
  isExact,
  isOfVersion,
} from '../../service/abilities/fileChanges.ts';

/**
 * A changed file at a moment: enough to tell if it has changed since, and its
 * contents if they are small.
 */
export interface Baseline {
  readonly path: string;
  readonly status: string;
  /**
   * Equal only for the same change; `undefined` if the service's list lacks
   * versions.
   */
  readonly version: string | undefined;
  readonly contents: string | undefined;
  readonly kept: KeptSide | undefined;
}

type KeptSide =
  | Exclude<FileSide, { kind: 'bytes' }>
  | { readonly kind: 'bytes'; readonly packed: string };

/** The last message sent from this machine, and the files at that time. */
interface MessageBaseline {
  readonly id: string;
  readonly files: readonly Baseline[];
}

export interface KeptBaselines {
  readonly reviewed: ReadonlyMap<string, Baseline>;
  readonly message: MessageBaseline | undefined;
}

const maxFileBytes = 1_000_000;
/** Compressed size for all conversations. */
const maxAllBytes = 50_000_000;
const maxMessageBytes = 10_000_000;
const maxTemporaryAgeMs = 60_000;
const maxAgeMs = 30 * 24 * 3_600_000;

/**
 * Compares equal only for the same change of the same file against the same
 * commit.
 */
export function versionOf(
  { patch }: ChangedFiles,
  file: ChangedFile,
): string | undefined {
  const { status, from, version } = file;
  // The patch of a moved file does not contain the file.
  const isWhole = patch?.base !== undefined || status === 'added';
  return version === undefined || !isWhole
    ? undefined
    : hashOf(JSON.stringify([patch?.base, status, from, version]));
}

/**
 * A hash of both sides; `undefined` if they are unknown or may belong to
 * another version.
 */
export function contentsOf(
  file: ChangedFile,
  sides: FileSides,
): string | undefined {
  const { status, from, version, modes } = file;
  if (version !== undefined && !(isExact(sides.before) && isExact(sides.after)))
    return undefined;
  const parts = [sides.before, sides.after].map((side) => {
    if (side.kind === 'unknown' || side.kind === 'tooLarge') return undefined;
    return side.kind === 'bytes' ? [side.kind, hashOf(side.bytes)] : side;
  });
  return parts.includes(undefined)
    ? undefined
    : hashOf(
        JSON.stringify([status, from, modes.before, modes.after, ...parts]),
      );
}

/**
 * `undefined` if later changes could not be detected. Without `sides`, only the
 * version is kept.
 */
export function baselineOf(
  files: ChangedFiles,
  file: ChangedFile,
  sides: FileSides | undefined,
): Baseline | undefined {
  if (sides && !isOfVersion(file, sides)) return undefined;
  const version = versionOf(files, file);
  const contents = sides && contentsOf(file, sides);
  if (version === undefined && contents === undefined) return undefined;
  const { path, status } = file;
  return {
    path,
    status,
    version,
    contents,
    kept: sides && keep(sides.after),
  };
}

export function sideOf({ kept }: Baseline): FileSide | undefined {
  if (kept?.kind !== 'bytes') return kept;
  try {
    const bytes = inflateRawSync(Buffer.from(kept.packed, 'base64'), {
      maxOutputLength: maxFileBytes,
    });
    return { kind: 'bytes', bytes, exact: true };
  } catch {
    return undefined;
  }
}

function keep(side: FileSide): KeptSide | undefined {
  if (side.kind === 'tooLarge') return undefined;
  if (side.kind !== 'bytes') return side;
  if (side.bytes.byteLength > maxFileBytes) return undefined;
  return {
    kind: 'bytes',
    packed: deflateRawSync(side.bytes).toString('base64'),
  };
}

/**
 * Stores each reviewed file separately, so windows do not overwrite each
 * other's marks. The newest write wins.
 */
export class BaselineStore {
  readonly #folder: string;
  readonly #machine: Machine;
  #isPruned = false;

  constructor(folder: string, machine = thisMachine) {
    this.#folder = folder;
    this.#machine = machine;
  }

  async read(key: ConversationKey): Promise<KeptBaselines> {
    if (!this.#isPruned) await this.#prune();
    const reviewed = new Map<string, Baseline>();
    for (const name of await readdir(this.#path(key)).catch(() => [])) {
      const baseline = markName.test(name)
        ? await readJson<Baseline>(this.#path(key, name))
        : undefined;
      if (typeof baseline?.path === 'string')
        reviewed.set(baseline.path, baseline);
    }
    return {
      reviewed,
      message: await readJson<MessageBaseline>(this.#path(key, messageName)),
    };
  }

  async add(
    key: ConversationKey,
    baselines: readonly Baseline[],
  ): Promise<void> {
    for (const baseline of baselines)
      await this.#write(this.#path(key, hashOf(baseline.path)), baseline);
    await this.#prune();
  }

  async remove(key: ConversationKey, paths: readonly string[]): Promise<void> {
    for (const path of paths)
      await rm(this.#path(key, hashOf(path)), { force: true });
  }

  /**
   * Replaces the files of an earlier message. Keeps only hashes of large
   * contents.
   */
  async setMessage(
    key: ConversationKey,
    message: MessageBaseline,
  ): Promise<void> {
    let size = 0;
    const files = message.files.map((file) => {
      size += file.kept?.kind === 'bytes' ? file.kept.packed.length : 0;
      return size > maxMessageBytes ? { ...file, kept: undefined } : file;
    });
    await this.#write(this.#path(key, messageName), { ...message, files });
    await this.#prune();
  }

  async forget(key: ConversationKey): Promise<void> {
    await rm(this.#path(key), { recursive: true, force: true });
  }

  #path(key: ConversationKey, name = ''): string {
    return join(this.#folder, hashOf(key), name);
  }

  async #write(path: string, content: object): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = temporaryPath(path, this.#machine);
    await createTemporary(temporary, JSON.stringify(content), this.#machine);
    for (let tried = 0; ; tried++) {
      try {
        this.#machine.disk.renameSync(temporary, path);
        return;
      } catch (error) {
        // Windows cannot replace a file while another window reads it.
        if (!isBusy(error, this.#machine) || tried === 20) throw error;
        await sleep(this.#machine.clock, 25);
      }
    }
  }

  /** Removes old marks, and the oldest ones above the size limit. */
  async #prune(): Promise<void> {
    this.#isPruned = true;
    const entries = await readdir(this.#folder, {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    const files = entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        const { size, mtimeMs: at } = await stat(path).catch(() => ({
          size: 0,
          mtimeMs: 0,
        }));
        return {
          path,
          size,
          at,
          isTemporary: name !== messageName && !markName.test(name),
        };
      });
    const oldest = this.#machine.clock.now() - maxAgeMs;
    const oldestTemporary = this.#machine.clock.now() - maxTemporaryAgeMs;
    let size = 0;
    for (const file of (await Promise.all(files)).sort((a, b) => b.at - a.at)) {
      size += file.size;
      const isLeftOver = file.isTemporary && file.at < oldestTemporary;
      if (file.at < oldest || isLeftOver || size > maxAllBytes)
        await rm(file.path, { force: true });
    }
  }
}

const messageName = 'message';
/** Other names belong to temporary files that a killed window left behind. */
const markName = /^[\w-]{43}$/;

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
