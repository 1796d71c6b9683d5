/** A demo Agent Server, and a window that follows its conversations. */
import assert from 'node:assert/strict';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { Secret } from '../../../../src/base/secret.ts';
import {
  type MisbehavingDemo,
  type MisbehavingDemoOptions,
  startMisbehavingDemo,
} from '../../../support/demo/faults/misbehavingDemo.ts';
import { createClient } from '../../../../src/service/client.ts';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import type { ConnectedService } from '../../../../src/state/connectedService.ts';
import type { FollowedConversation } from '../../../../src/state/conversation/followedConversation.ts';
import { Switchboard } from '../../../../src/state/switchboard.ts';
import type { TranscriptEntry } from '../../../../src/state/transcript/transcriptEntry.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import { MemoryStore } from '../support.ts';

interface WireEvent {
  readonly id: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface FollowDesk {
  readonly demo: MisbehavingDemo;
  readonly service: ConnectedService;
  readonly switchboard: Switchboard;
  ask<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** A new conversation, in which this has been said. */
  begin(message?: string, policy?: string): Promise<Conversation>;
  say(conversation: Conversation, text: string): Promise<void>;
  /** All that the service has, the first first. */
  events(conversation: Conversation): Promise<readonly WireEvent[]>;
  stop(): Promise<void>;
}

export async function followDesk(
  options: MisbehavingDemoOptions = {},
  clock: Clock = new HurriedClock(50),
  requestsPerSecond = Infinity,
): Promise<FollowDesk> {
  const demo = await startMisbehavingDemo({
    interface: 'agentServer',
    key: 'canary-key',
    conversations: 3,
    clock: systemClock,
    ...options,
  });
  const switchboard = new Switchboard({
    store: new MemoryStore(),
    clock,
    pageSize: () => 20,
  });
  const client = createClient({
    address: new URL(demo.url),
    authentication: 'sessionKey',
    key: new Secret(demo.key),
    interface: options.interface === undefined ? 'agentServer' : 'auto',
    clock,
    requestsPerSecond,
    deadline: 10_000_000,
  });
  const service = switchboard.connect({
    client,
    address: demo.url,
    name: 'demo',
    demo: true,
  });

  async function ask<T>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> {
    const response = await fetch(`${demo.url}/${path}`, {
      method,
      headers: {
        'x-session-api-key': demo.key,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    return (await response.json()) as T;
  }

  const content = (text: string) => [{ type: 'text', text }];
  return {
    demo,
    service,
    switchboard,
    ask,
    begin: async (message, policy = 'NeverConfirm') => {
      const { id } = await ask<{ id: string }>('POST', 'api/conversations', {
        workspace: { working_dir: '/srv/agent/shop' },
        ...(message !== undefined && {
          initial_message: {
            role: 'user',
            content: content(message),
            run: true,
          },
        }),
        agent_profile_id: (
          await ask<{ active_agent_profile_id: string }>(
            'GET',
            'api/agent-profiles',
          )
        ).active_agent_profile_id,
        confirmation_policy: { kind: policy },
      });
      await service.conversations.refresh();
      const made = [...service.conversations.rows.values()].find(
        (row) => row.id === id,
      );
      return made ?? assert.fail('It is not listed.');
    },
    say: async ({ id }, text) => {
      await ask('POST', `api/conversations/${id}/events`, {
        role: 'user',
        content: content(text),
        run: true,
      });
    },
    events: async ({ id }) => {
      const all: WireEvent[] = [];
      let pageId: string | null = null;
      do {
        const query: string = pageId === null ? '' : `&page_id=${pageId}`;
        const page: { items: WireEvent[]; next_page_id: string | null } =
          await ask(
            'GET',
            `api/conversations/${id}/events/search?limit=100${query}`,
          );
        all.push(...page.items);
        pageId = page.next_page_id;
      } while (pageId !== null);
      return all;
    },
    stop: async () => {
      switchboard.dispose();
      await demo.stop();
    },
  };
}

/**
 * Resolves once this holds, which is looked at whenever something has changed.
 */
export async function until(
  followed: FollowedConversation,
  holds: () => boolean,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const look = () => {
    if (holds()) resolve(undefined);
  };
  const subscriptions = [followed.onEntries(look), followed.onSnapshot(look)];
  look();
  try {
    await promise;
  } finally {
    for (const subscription of subscriptions) subscription.dispose();
  }
}

/**
 * True if all of these are entries. Their number does not tell: a result
 * without its action is an entry, too.
 */
export function hasAll(
  followed: FollowedConversation,
  wanted: readonly string[],
): () => boolean {
  return () => {
    const ids = new Set(followed.entries.map(({ id }) => id));
    return wanted.every((id) => ids.has(id));
  };
}

/** A page that only follows the changes. */
export class Shown {
  entries: readonly TranscriptEntry[];
  resets = 0;

  constructor(followed: FollowedConversation) {
    this.entries = followed.entries;
    followed.onEntries(({ added, before, changed, removed, isReset }) => {
      if (isReset) {
        this.resets++;
        this.entries = followed.entries;
        return;
      }
      const gone = new Set(removed);
      const now = new Map(changed.map((entry) => [entry.id, entry]));
      const rest = this.entries
        .filter(({ id }) => !gone.has(id))
        .map((entry) => now.get(entry.id) ?? entry);
      this.entries = [...before, ...rest, ...added];
    });
  }
}
