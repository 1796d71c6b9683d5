/** The commands that add MCP servers. The questions are only loaded when they are asked. */
import type { ServerParts } from '../handlers.ts';
import type { UnfinishedFlows } from './unfinishedFlows.ts';

/** Adds servers, and keeps the answers of flows that were given up for the next time in this window. */
export class AddServerFlows {
  readonly #parts: ServerParts;
  readonly #unfinished: UnfinishedFlows = {};

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  async askForServer(): Promise<void> {
    const { askForServer } = await import('./flow.ts');
    await askForServer(this.#parts, this.#unfinished);
  }

  async askForText(): Promise<void> {
    const { askForText } = await import('./textFlow.ts');
    await askForText(this.#parts, this.#unfinished);
  }
}
