/**
 * The protocol over the standard input and output of a program, one message in
 * a line.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { probeLimits } from './serverConnection.ts';
import type { ProcessGroup } from './processGroup.ts';

/** A longer line is not a message. */
const maxLineLength = 10_000_000;
/**
 * Characters kept of other output, which may say why a server does not work.
 */
const maxKeptOutput = 8_000;
/** A program that does not read its input gets no more answers. */
const maxUnreadBytes = 1_000_000;

/** A line without an end counts as too many bytes. */
type OnTooMuch = (of: 'bytes' | 'messages') => void;

export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** True once it has sent a message of the protocol. */
  hasSpoken = false;
  /**
   * The id of the request that only newer servers know, until it is answered.
   */
  #firstQuestion: string | number | undefined;
  /** Output beside the protocol: standard output and standard error. */
  readonly printed = { out: '', err: '' };
  readonly #group: Pick<ProcessGroup, 'child'>;
  readonly #onTooMuch: OnTooMuch;
  #bytes = 0;
  #messages = 0;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(group: Pick<ProcessGroup, 'child'>, onTooMuch: OnTooMuch) {
    this.#group = group;
    this.#onTooMuch = onTooMuch;
  }

  /**
   * Tells the official client that this is a program, whose silence means that
   * it is an older one.
   */
  get pid(): number | undefined {
    return this.#group.child.pid;
  }

  readonly stderr = null;

  /** Can be started again, for another handshake. */
  start(): Promise<void> {
    const { child } = this.#group;
    for (const stream of [child.stdout, child.stderr])
      stream?.removeAllListeners('data');
    child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#count(chunk)) this.#receive(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#count(chunk)) this.#keep('err', chunk.toString());
    });
    return Promise.resolve();
  }

  /**
   * True while the request that only newer servers know has no answer, not even
   * an error.
   */
  get ignoresFirstQuestion(): boolean {
    return this.#firstQuestion !== undefined;
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (
      'method' in message &&
      message.method === 'server/discover' &&
      'id' in message
    )
      this.#firstQuestion = message.id;
    const { stdin } = this.#group.child;
    if (stdin?.writable && stdin.writableLength < maxUnreadBytes)
      stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  /** The group is ended by its owner. */
  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  #count(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes <= probeLimits.bytes) return true;
    this.#onTooMuch('bytes');
    return false;
  }

  #receive(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      this.#pieces.push(rest.subarray(0, end));
      this.#read(Buffer.concat(this.#pieces).toString());
      this.#pieces = [];
      this.#length = 0;
      rest = rest.subarray(end + 1);
    }
    if (rest.length === 0) return;
    this.#pieces.push(rest);
    this.#length += rest.length;
    if (this.#length > maxLineLength) this.#onTooMuch('bytes');
  }

  /** Printed lines outside the protocol, and the unfinished one. */
  get output(): string {
    return (
      this.printed.out +
      Buffer.concat(this.#pieces).toString().slice(0, maxKeptOutput)
    );
  }

  #read(line: string): void {
    const message = messageIn(line);
    if (message === undefined) {
      if (line.trim() !== '')
        this.#keep('out', `${line.slice(0, maxKeptOutput)}\n`);
      return;
    }
    this.hasSpoken = true;
    if (++this.#messages > probeLimits.messages) {
      this.#onTooMuch('messages');
      return;
    }
    if ('id' in message && message.id === this.#firstQuestion)
      this.#firstQuestion = undefined;
    // Drops notifications: no code needs them, and a flood would pile up in the
    // client.
    if ('method' in message && !('id' in message)) return;
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #keep(name: 'out' | 'err', text: string): void {
    this.printed[name] = (this.printed[name] + text).slice(-maxKeptOutput);
  }
}

/** Other output of a program is skipped, as the agent does. */
function messageIn(line: string): JSONRPCMessage | undefined {
  if (!/^\s*\{/.test(line)) return undefined;
  try {
    const value = JSON.parse(line) as Partial<JSONRPCMessage> | null;
    return value?.jsonrpc === '2.0' ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}
