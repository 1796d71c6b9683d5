/** First messages of conversations without a title, because their records lack them. */
import { type Clock } from '../../base/clock.ts';
import { words } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { type Conversation, idKey, type Time } from '../entities.ts';
import { Requests, type Wire } from '../requests.ts';
import { ServiceError } from '../serviceError.ts';
import type { CallOptions } from '../transport.ts';
import { array, isObject } from '../wireValues.ts';

const couldNot = words({ readMessage: 'Could not read the first message of a conversation' });

/** For each answer that is being named; the others get their turn with the next one. */
const maxRequestsPerList = 5;
const timeoutMs = 2_000;
const maxRemembered = 1_000;
const maxTitleLength = 80;

interface Remembered {
  /** Empty if there was none. */
  readonly title: string;
  /** When the conversation had changed last at that time. */
  readonly at: Time | undefined;
}

export class FirstMessages {
  readonly #requests: Requests<keyof typeof couldNot>;
  readonly #clock: Clock;
  readonly #remembered = new Map<string, Remembered>();

  constructor(wire: Wire) {
    this.#requests = new Requests(wire, couldNot);
    this.#clock = wire.clock;
  }

  remember({ id, updatedAt: at }: Conversation, message: string): void {
    const line = message.split(/[\r\n]/).find((one) => one.trim() !== '') ?? '';
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size >= maxRemembered && oldest !== undefined) this.#remembered.delete(oldest);
    this.#remembered.set(idKey(id), { title: plainText(line, maxTitleLength), at });
  }

  /** These conversations, those without a title under their first message. Fails in silence. */
  async named(rows: readonly Conversation[], call: CallOptions): Promise<readonly Conversation[]> {
    const unknown = rows
      .filter((row) => row.title === '' && !this.#isKnown(row))
      .slice(0, maxRequestsPerList);
    if (unknown.length > 0) await this.#ask(unknown, call);
    return rows.map((row) => {
      const title = row.title === '' ? this.#remembered.get(idKey(row.id))?.title : undefined;
      return title === undefined ? row : { ...row, title };
    });
  }

  /** A conversation without a message may have one after it has changed. */
  #isKnown({ id, updatedAt }: Conversation): boolean {
    const remembered = this.#remembered.get(idKey(id));
    return remembered !== undefined && (remembered.title !== '' || remembered.at === updatedAt);
  }

  async #ask(rows: readonly Conversation[], { signal }: CallOptions): Promise<void> {
    const end = new AbortController();
    const cancel = this.#clock.after(timeoutMs, () => {
      end.abort();
    });
    const call = {
      signal: AbortSignal.any([end.signal, ...(signal ? [signal] : [])]),
      priority: 'poll',
    } as const;
    try {
      await Promise.all(rows.map((row) => this.#askFor(row, call)));
    } finally {
      cancel();
    }
  }

  async #askFor(row: Conversation, call: CallOptions): Promise<void> {
    const path = ['api', 'conversations', row.id, 'events', 'search'];
    const query = { limit: 1, kind: 'MessageEvent', source: 'user' };
    try {
      const { items } = await this.#requests.page('readMessage', { path, query }, call, textOf);
      this.remember(row, items[0] ?? '');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.kind !== 'cancelled') this.remember(row, '');
    }
  }
}

function textOf(event: unknown): string | undefined {
  const message = isObject(event) ? event.llm_message : undefined;
  if (!isObject(message)) return undefined;
  return array(message.content)
    .flatMap((part) => (isObject(part) && typeof part.text === 'string' ? part.text : []))
    .join('\n');
}
