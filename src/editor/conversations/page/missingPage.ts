import type { WebviewPanel } from 'vscode';
import { t } from '../../../base/l10n.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import { headWithout } from '../../words/conversations/headWords.ts';
import type { PageChannel } from './pageChannel.ts';
import type { PageContent } from './pageContent.ts';

interface MissingPageOptions {
  readonly panel: WebviewPanel;
  readonly channel: PageChannel;
  readonly isDeleted: boolean;
  readonly renew: () => void;
}

/** A conversation that is loading, that cannot be loaded, or that is deleted. */
export class MissingPage implements PageContent {
  readonly #options: MissingPageOptions;
  /** Empty while the conversation is loading. */
  #why: string;
  /** The service that was asked for the conversation. */
  service: ConnectedService | undefined;
  readonly handlers = {
    retry: () => {
      this.service = undefined;
      this.#options.renew();
    },
    // The page keeps its entries, and asks again only after an answer.
    older: () => {
      this.#options.channel.send({ type: 'olderEnded' });
    },
  };

  constructor(
    options: MissingPageOptions,
    why: string,
    service: ConnectedService | undefined,
  ) {
    this.#options = options;
    this.#why = why;
    this.service = service;
  }

  get isDeleted(): boolean {
    return this.#options.isDeleted;
  }

  begin(): void {
    this.draw();
  }

  draw(why = this.#why): void {
    this.#why = why;
    const { panel, channel } = this.#options;
    channel.send({
      type: 'head',
      head: headWithout(panel.title, why, this.isDeleted),
    });
    channel.send({
      type: 'input',
      input: { ways: [], obstacle: why === '' ? t('Loading…') : why },
    });
    channel.send({ type: 'waiting', waiting: undefined });
    channel.send({ type: 'pending', entries: [] });
  }

  release(): void {
    this.service = undefined;
  }
}
