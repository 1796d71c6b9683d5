import type { Handlers } from '../../../protocol/handlers.ts';
import type { FromPage } from '../../../protocol/pageMessages.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import type { AttachmentMessage } from './attachments.ts';

/** Messages that a page takes whatever it shows. */
export type SharedMessage =
  | AttachmentMessage
  | Extract<FromPage, { type: 'ready' | 'draft' | 'lookAt' | 'openLink' }>;

/** A draft, a conversation, or the reason why there is none. */
export interface PageContent {
  readonly service?: ConnectedService | undefined;
  readonly handlers: Partial<Handlers<FromPage, unknown>>;
  /** Serves a new script, which returns to the entry `anchor`. */
  begin(anchor: string | undefined): void;
  draw(): void;
  see?(visible: boolean): void;
  release(): void;
}
