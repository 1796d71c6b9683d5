import type { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import type { Secret } from '../../base/secret.ts';
import type { LiveEnd, LiveListener } from '../abilities/agentService.ts';
import type { AgentEvent } from '../model/events.ts';
import { parseExactly } from '../http/exactJson.ts';
import { explainNetworkFailure } from '../http/network.ts';
import type { Failure, ServiceError } from '../http/serviceError.ts';

interface LiveConnection {
  readonly address: URL;
  /** Sent in the first frame, because proxies log addresses. */
  readonly key: Secret | undefined;
  readonly clock: Clock;
  /** May throw a ServiceError. */
  readonly read: (event: unknown) => readonly AgentEvent[];
  readonly error: (failure: Failure) => ServiceError;
}

/**
 * Time for the service to answer, and to send its first frame. A silent
 * connection is pinged after this time, and closed after the same time again.
 */
const timeoutMs = 10_000;
const maxFrameBytes = 32_000_000;

const closings: Readonly<Record<number, LiveEnd['reason']>> = {
  4001: 'unauthorised',
  4004: 'gone',
};

export function openLive(
  { address, key, clock, read, error }: LiveConnection,
  listener: LiveListener,
): () => void {
  let socket: WebSocket | undefined;
  let isOver = false;
  let isOpen = false;
  let cancelTimer: (() => void) | undefined;
  let isHeard = false;

  const stop = () => {
    isOver = true;
    cancelTimer?.();
    socket?.terminate();
  };
  const end = (reason: LiveEnd['reason'], failure: Failure) => {
    if (isOver) return;
    stop();
    listener.onEnd({ reason, error: error(failure) });
  };
  const breakOff = (why: string) => {
    end(isOpen ? 'broken' : 'refused', {
      kind: 'unreachable',
      why,
      closed: isOpen,
    });
  };
  const expect = (within: number, otherwise: () => void) => {
    cancelTimer?.();
    cancelTimer = clock.after(within, otherwise);
  };
  const heard = () => {
    isHeard = true;
  };
  /**
   * Detects a connection that is lost silently. A timer for each frame would
   * cost more than the frame.
   */
  const expectSigns = () => {
    isHeard = false;
    expect(timeoutMs, () => {
      if (isHeard) {
        expectSigns();
        return;
      }
      expect(timeoutMs, () => {
        if (isHeard) expectSigns();
        else breakOff(t('the connection timed out'));
      });
      socket?.ping();
    });
  };

  const receive = (text: string) => {
    heard();
    if (!isOpen) {
      isOpen = true;
      expectSigns();
      listener.onOpen();
    }
    let events: readonly AgentEvent[];
    try {
      events = read(parseExactly(text));
    } catch {
      // The missing events come with the next connection.
      breakOff(t('it is not JSON, or not all of it'));
      return;
    }
    // The listener may have closed the connection in onOpen.
    if (!isOver) listener.onEvents(events);
  };

  async function open(): Promise<void> {
    const { WebSocket } = await import('ws');
    if (isOver) return;
    expect(2 * timeoutMs, () => {
      breakOff(t('the connection timed out'));
    });
    const opened = new WebSocket(address, {
      maxPayload: maxFrameBytes,
      perMessageDeflate: false,
    });
    socket = opened;
    opened.on('open', () => {
      if (key)
        opened.send(
          JSON.stringify({ type: 'auth', session_api_key: key.reveal() }),
        );
    });
    opened.on('message', (data: Buffer) => {
      if (!isOver) receive(data.toString());
    });
    opened.on('ping', heard);
    opened.on('pong', heard);
    opened.on('unexpected-response', (_, { statusCode = 0 }) => {
      breakOff(t('status {0}', statusCode));
    });
    opened.on('error', (cause) => {
      breakOff(explainNetworkFailure(cause).why);
    });
    opened.on('close', (code) => {
      const reason = closings[code];
      if (reason === 'unauthorised')
        end(reason, { kind: 'unauthorised', withKey: key !== undefined });
      else if (reason === 'gone') end(reason, { kind: 'notFound' });
      else breakOff(t('the connection was closed'));
    });
  }

  open().catch((cause: unknown) => {
    breakOff(explainNetworkFailure(cause).why);
  });
  return stop;
}
