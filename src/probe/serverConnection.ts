/** A connection to a server, however it is reached. */
import type { Transport } from '@modelcontextprotocol/client';
import type * as officialClient from './officialClient.ts';
import type { ProbeFailure, ProbeStep } from './probeResult.ts';

export type OfficialClient = typeof officialClient;

export interface ServerConnection {
  readonly transport: Transport;
  /** Rejects with a ProbeError as soon as the server can no longer answer. */
  readonly broken: Promise<never>;
  /**
   * True if the server has left the first question of the newer handshake
   * without an answer.
   */
  ignoresFirstQuestion?(): boolean;
  /**
   * Explains an error of the client, if the connection knows more than the
   * client.
   */
  explain?(error: unknown, step: ProbeStep): Promise<ProbeFailure | undefined>;
  /** Explains why the server has not answered in time, if anything does. */
  explainSilence?(): ProbeFailure | undefined;
  /** The last output of the server outside the protocol. */
  lastLines?(): readonly string[];
  /**
   * Ends the server, and resolves when it is gone. A cancellation skips the
   * graceful end.
   */
  end(cancelled: AbortSignal | undefined): Promise<void>;
}

/** Limits of all that a server sends. */
export const probeLimits = {
  bytes: 16_000_000,
  messages: 20_000,
  tools: 5_000,
  pages: 200,
} as const;

/** The failure of a server that sends more than a limit. */
export function tooMuch(of: keyof typeof probeLimits): ProbeError {
  return new ProbeError({ reason: 'tooMuch', of, most: probeLimits[of] });
}

export class ProbeError extends Error {
  readonly failure: ProbeFailure;

  constructor(failure: ProbeFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}
