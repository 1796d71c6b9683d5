/** What a probe needs of a server, however it is reached. */
import type { Transport } from '@modelcontextprotocol/client';
import type * as officialClient from './officialClient.ts';
import type { ProbeFailure, ProbeStep } from './probeResult.ts';

export type OfficialClient = typeof officialClient;

export interface ServerConnection {
  readonly transport: Transport;
  /** Which handshake is used: `auto` begins with that of newer servers, as the agent does. */
  readonly handshake: 'auto' | 'legacy';
  /** Rejects with a Failed as soon as the server can no longer answer. */
  readonly broken: Promise<never>;
  /** What it means that the client threw this, as far as the connection knows more than the client. */
  explain(error: unknown, step: ProbeStep): Promise<ProbeFailure | undefined>;
  /** The failure where its time is over. */
  timedOut(waitingFor: ProbeStep, milliseconds: number): ProbeFailure;
  /** What it printed beside the protocol. */
  lastLines(): readonly string[];
  /** Resolves when nothing of it is left. Without patience once somebody has cancelled. */
  end(cancelled: AbortSignal | undefined): Promise<void>;
}

export interface Limits {
  /** That a server may send in all. */
  readonly bytes: number;
  readonly messages: number;
  readonly tools: number;
  readonly pages: number;
}

export const probeLimits: Limits = { bytes: 16_000_000, messages: 20_000, tools: 5_000, pages: 200 };
