/** The commands that add MCP servers. */
import type { Place } from './place.ts';
import type { UnfinishedFlows } from './unfinishedFlows.ts';
import { askForServer } from './flow.ts';
import { askForText } from './textFlow.ts';

/** Adds servers, and keeps the answers of flows that were given up for the next time in this window. */
export class AddServerFlows {
  /** By the place: undefined is the file, and a service has its address. */
  readonly #unfinished = new Map<string | undefined, UnfinishedFlows>();

  async askForServer(place: Place, address?: string): Promise<void> {
    await askForServer(place, this.#of(address));
  }

  async askForText(place: Place, address?: string): Promise<void> {
    await askForText(place, this.#of(address));
  }

  #of(address: string | undefined): UnfinishedFlows {
    const flows = this.#unfinished.get(address) ?? {};
    this.#unfinished.set(address, flows);
    return flows;
  }
}
