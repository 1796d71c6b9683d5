import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalGit } from '../../../src/takeOver/localGit.ts';
import {
  type TakeOverOptions,
  takeOver,
  type TakeOverResult,
  undoable,
} from '../../../src/takeOver/takeOver.ts';
import type { RawPath } from '../../../src/takeOver/rawPaths.ts';
import {
  commit,
  type Content,
  git,
  patchSince,
  write,
} from '../../support/repositories.ts';

export const labels = { here: 'Here', agent: 'Fix the cart' };

/**
 * One repository, and two clones: one in which an agent worked, and one of the
 * person.
 */
export class Desk {
  readonly folder = realpathSync(
    mkdtempSync(join(tmpdir(), 'take-over-test-')),
  );
  readonly agent = join(this.folder, 'agent');
  readonly here = join(this.folder, 'here');
  readonly storage = join(this.folder, 'storage');
  readonly base: string;

  constructor(files: Readonly<Record<string, Content>>) {
    mkdirSync(this.agent);
    git(this.agent, 'init', '-q', '-b', 'main');
    this.base = commit(this.agent, files, 'first');
    execFileSync('git', ['clone', '-q', this.agent, this.here], {
      stdio: 'ignore',
    });
  }

  get git(): LocalGit {
    return new LocalGit('git', this.here);
  }

  agentWrites(files: Readonly<Record<string, Content | undefined>>): void {
    write(this.agent, files);
  }

  writesHere(files: Readonly<Record<string, Content | undefined>>): void {
    write(this.here, files);
  }

  take(
    chosen?: readonly RawPath[],
    more: Partial<TakeOverOptions> = {},
  ): Promise<TakeOverResult> {
    return takeOver(this.git, patchSince(this.agent, this.base), {
      ...{ storage: this.storage, labels, title: 'Fix the cart' },
      ...(chosen ? { chosen: new Set(chosen) } : {}),
      ...more,
    });
  }

  async undo(): Promise<void> {
    await (await undoable(this.storage, this.here))?.undo();
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
