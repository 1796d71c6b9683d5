/** What can be done with a server, above it in the file; and what concerns all, at the top. */
import {
  CodeLens,
  type CodeLensProvider,
  type Disposable,
  EventEmitter,
  Range,
  type TextDocument,
} from 'vscode';
import type { Subscription } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import { entriesIn } from '../../mcp/format/document.ts';
import { outlineUnfinished } from '../../mcp/format/outline.ts';
import type { CommandId } from '../manifest.ts';
import { isConfigured } from './places.ts';
import { rangeOf } from './spans.ts';

export class Lenses implements CodeLensProvider, Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #activeServers: ActiveServers;
  readonly #subscription: Subscription;

  constructor(activeServers: ActiveServers) {
    this.#activeServers = activeServers;
    let before = this.#pending;
    this.#subscription = activeServers.onChange(() => {
      if (this.#pending === before) return;
      before = this.#pending;
      this.#changed.fire();
    });
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    // The commands change the file that is configured, and no other.
    if (!isConfigured(document.uri)) return [];
    const top = new Range(0, 0, 0, 0);
    const pending = this.#pending;
    const entries = entriesIn(outlineUnfinished(document.getText()));
    return [
      lens(top, t('Add Server'), 'switchboard.mcp.add'),
      ...(pending > 0 ? [lens(top, t('{0} pending', pending), 'switchboard.mcp.status')] : []),
      ...entries.flatMap((entry) => {
        const range = rangeOf(document, entry.nameSpan);
        const { name, enabled, object, server } = entry;
        return [
          ...(object
            ? [
                enabled
                  ? lens(range, t('Disable'), 'switchboard.mcp.disable', name)
                  : lens(range, t('Enable'), 'switchboard.mcp.enable', name),
              ]
            : []),
          ...(server ? [lens(range, t('Check'), 'switchboard.mcp.check', name)] : []),
          lens(range, t('Remove'), 'switchboard.mcp.remove', name),
          ...(server ? [lens(range, t('Copy as Command'), 'switchboard.mcp.copyAsCommand', name)] : []),
        ];
      }),
    ];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  get #pending(): number {
    return this.#activeServers.pending?.length ?? 0;
  }
}

function lens(range: Range, title: string, command: CommandId, ...args: readonly string[]): CodeLens {
  return new CodeLens(range, { title, command, arguments: [...args] });
}
