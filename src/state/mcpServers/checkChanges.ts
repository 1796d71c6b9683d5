/** What is different of a server since the person agreed to its check. */
import { same } from '../../base/same.ts';
import type { ShownStart } from '../../probe/shownStart.ts';
import type { Agreed, KnownTool } from './checkMemory.ts';

export interface CheckChanges {
  /** Undefined where the entry is the same. */
  readonly start: StartChange | undefined;
  readonly added: readonly string[];
  readonly gone: readonly string[];
  readonly changed: readonly ToolChange[];
}

interface StartChange {
  readonly before: ShownStart;
  /** False where only values are different that are not shown. */
  readonly isVisible: boolean;
}

interface ToolChange {
  readonly before: KnownTool;
  readonly after: KnownTool;
}

/** Undefined where nothing is. */
export function changesSince(
  agreed: Agreed,
  now: {
    readonly digest: string;
    readonly start: ShownStart;
    readonly tools: readonly KnownTool[] | undefined;
  },
): CheckChanges | undefined {
  const start =
    agreed.digest === now.digest
      ? undefined
      : { before: agreed.start, isVisible: !same(agreed.start, now.start) };
  // Before the first check of an agreement, there is nothing to compare with.
  const before = new Map((now.tools && agreed.tools ? agreed.tools : []).map((tool) => [tool.name, tool]));
  const after = new Map((agreed.tools ? (now.tools ?? []) : []).map((tool) => [tool.name, tool]));
  const changed = [...after.values()].flatMap((tool) => {
    const old = before.get(tool.name);
    return old && old.digest !== tool.digest ? [{ before: old, after: tool }] : [];
  });
  const changes = {
    start,
    added: [...after.keys()].filter((name) => !before.has(name)),
    gone: [...before.keys()].filter((name) => !after.has(name)),
    changed,
  };
  const isSame = !start && changes.added.length + changes.gone.length + changed.length === 0;
  return isSame ? undefined : changes;
}
