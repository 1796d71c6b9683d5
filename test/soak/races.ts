/**
 * Races between what people do in two windows and what happens at an Agent
 * Server: somebody else rejects, interrupts or writes, and the agent goes on to
 * its next step. All that runs, runs because of one of the windows: every other
 * request of a race can only stop something. The message of the test that
 * prepares a race is counted apart.
 */
import assert from 'node:assert/strict';
import { Cancellation } from '../../src/base/cancellation.ts';
import type { Clock } from '../../src/base/clock.ts';
import { UserError } from '../../src/base/errors.ts';
import { Secret } from '../../src/base/secret.ts';
import { createClient } from '../../src/service/client.ts';
import { ServiceError } from '../../src/service/http/serviceError.ts';
import { ApprovalMemory } from '../../src/state/conversation/approvalMemory.ts';
import { Approvals } from '../../src/state/conversation/approvals.ts';
import { AgentLocations } from '../../src/state/conversation/agentLocations.ts';
import { AgentSteering } from '../../src/state/steering/agentSteering.ts';
import type { WaitingAction } from '../../src/state/transcript/waiting.ts';
import { countDone } from '../support/done.ts';
import { randomMoment } from '../support/randomMoment.ts';
import { isFailedInterrupt } from './failedInterrupts.ts';
import {
  type Answer,
  describeAnswer,
  isServiceFault,
  request,
  type RequestedService,
  UnexpectedAnswer,
} from './serviceRequests.ts';

export interface Served extends RequestedService {
  /** The folder that agents work in. */
  readonly folder: string;
  /** True if its model can do several things in one step. */
  readonly isModelBroad: boolean;
  /** The clock of the service. */
  readonly clock: Pick<Clock, 'now'>;
  /** The clock of the windows. */
  readonly windowClock: Clock;
  /** The file in which the windows share their choices of when agents ask. */
  readonly choicesPath?: string;
  readonly restart?: () => Promise<void>;
}

interface RaceWindow {
  shown(): Promise<readonly WaitingAction[]>;
  act(shown: readonly WaitingAction[], what: WindowAct): Promise<void>;
  /** Returns true if the agent works on it. */
  say(text: string): Promise<boolean>;
  askForEverything(): Promise<void>;
  /** Returns the id of the fork. */
  fork(): Promise<string>;
}

type WindowAct =
  'accept' | 'reject' | 'send' | 'resume' | 'rejectAndSend' | 'stop';

/** A conversation in two windows. */
interface Raced {
  readonly id: string;
  readonly a: RaceWindow;
  readonly b: RaceWindow;
}

const interruptions = ['restart', 'fork', 'fork', 'restart'] as const;

export interface Outcome {
  /** The number of actions that ran. */
  ran: number;
  /** The number of them that had been shown and accepted. */
  accepted: number;
  /**
   * The number that began to wait after the last read and before the service
   * handled the request.
   */
  inTheWindow: number;
  /**
   * The number that began to wait like this before a message of the test
   * itself, between two rounds.
   */
  ranByPreparation: number;
  /** All others. */
  readonly unaccepted: string[];
  /**
   * Milliseconds of the service from the beginning of the last read to the
   * answer to what was sent then.
   */
  readonly windows: number[];
  /**
   * Interrupts that the service answered with its known fault. None of them is
   * sent again.
   */
  failedInterrupts: number;
  /** All other faults of the service that the windows met. */
  readonly faults: string[];
}

/**
 * The history to print before an action that should not have run, in
 * milliseconds.
 */
const historyMs = 3_000;

interface WireEvent {
  readonly id: string;
  readonly kind: string;
  readonly source?: string;
  readonly timestamp: string;
  readonly tool_name?: string;
  readonly action_id?: string;
  readonly key?: string;
  readonly value?: unknown;
}

interface Sent {
  readonly conversationId: string;
  /** Start of the last read before it. */
  readonly read: number;
  /** Time of the answer. */
  answered: number;
}

/**
 * A request that can change what an agent does, as it is told of where
 * something ran that should not have.
 */
interface Change {
  readonly conversationId: string;
  readonly what: string;
  readonly begun: number;
  answered: number;
}

class Races {
  readonly outcome: Outcome = {
    ran: 0,
    accepted: 0,
    inTheWindow: 0,
    ranByPreparation: 0,
    unaccepted: [],
    windows: [],
    failedInterrupts: 0,
    faults: [],
  };
  readonly #served: Served;
  readonly #random: (sides: number) => number;
  readonly #accepted = new Set<string>();
  readonly #sent: Sent[] = [];
  /** Messages that the test itself lets run, between the rounds. */
  readonly #preparations: Sent[] = [];
  readonly #changes: Change[] = [];
  /** A fork has the events of its original. */
  readonly #judged = new Set<string>();

  constructor(served: Served, seed: number) {
    this.#served = served;
    let state = seed;
    this.#random = (sides) =>
      (state = (state * 48_271) % 2_147_483_647) % sides;
  }

  /** So many in one conversation, one after the other. */
  async run(rounds: number): Promise<void> {
    const raced = await this.#begin({ kind: 'AlwaysConfirm' });
    for (let round = 0; round < rounds; round++) {
      await this.#prepare(raced.id, round);
      await this.#race(raced);
    }
    await this.#judge(raced.id);
  }

  /**
   * Races in a conversation with a policy of creation and in one without,
   * between and right after restarts and forks. The windows send all that runs,
   * because only they set again what the service has lost.
   */
  async runInterrupted(rounds: number): Promise<void> {
    let both = [
      await this.#begin({ kind: 'AlwaysConfirm' }),
      await this.#begin(undefined),
    ];
    const judged = both.map(({ id }) => id);
    const raceBoth = async (count: number) => {
      const races = both.map(async (raced) => {
        for (let round = 0; round < count; round++) {
          await this.#prepareByWindow(raced, round);
          await this.#race(raced);
        }
      });
      await Promise.all(races);
    };
    await raceBoth(rounds);
    for (const interruption of interruptions) {
      await Promise.all(
        both.map((raced) => this.#prepareByWindow(raced, rounds)),
      );
      if (interruption === 'restart') await this.#served.restart?.();
      else
        both = await Promise.all(
          both.map(async ({ a }) => await this.#raced(await a.fork())),
        );
      judged.push(...both.map(({ id }) => id));
      await Promise.all(both.map((raced) => this.#race(raced)));
      await raceBoth(rounds - 1);
    }
    for (const id of new Set(judged)) await this.#judge(id);
  }

  async #begin(
    confirmation_policy: { readonly kind: 'AlwaysConfirm' } | undefined,
  ): Promise<Raced> {
    const { active_agent_profile_id: agent_profile_id } = await this.#ask<{
      active_agent_profile_id: string;
    }>('GET', 'api/agent-profiles');
    const { id } = await this.#ask<{ id: string }>(
      'POST',
      'api/conversations',
      {
        workspace: { working_dir: this.#served.folder },
        agent_profile_id,
        confirmation_policy,
      },
    );
    const raced = await this.#raced(id);
    if (!confirmation_policy) await raced.a.askForEverything();
    return raced;
  }

  async #raced(id: string): Promise<Raced> {
    return {
      id,
      a: await this.#window(id, 'A'),
      b: await this.#window(id, 'B'),
    };
  }

  async #race({ id, a, b }: Raced): Promise<void> {
    const shown = await Promise.all([a.shown(), b.shown()]);
    await Promise.all([
      a.act(
        shown[0],
        this.#pick([
          'accept',
          'accept',
          'reject',
          'send',
          'resume',
          'rejectAndSend',
        ] as const),
      ),
      b.act(
        shown[1],
        this.#pick([
          'accept',
          'send',
          'resume',
          'stop',
          'rejectAndSend',
        ] as const),
      ),
      this.#interfere(id),
    ]);
  }

  #pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.#random(choices.length)] ?? choices[0];
  }

  /** A step of one or two actions, and two more steps. */
  #steps(round: number): string {
    const command = (name: string) =>
      `terminal {"command": "echo ${name}${round}"}`;
    const isOne = this.#random(2) === 0 || !this.#served.isModelBroad;
    const first = isOne ? command('a') : `${command('a')} ;; ${command('b')}`;
    return [first, command('c'), command('d')]
      .map((call) => `call: ${call}`)
      .join('\n');
  }

  /** Something waits, because of a message that a window has sent. */
  async #prepareByWindow({ id, a }: Raced, round: number): Promise<void> {
    for (;;) {
      const shown = await a.shown();
      if (shown.length > 0) {
        await a.act(shown, 'reject');
        continue;
      }
      const events = await this.#events(
        id,
        'sort_order=TIMESTAMP_DESC&limit=30',
      );
      if (
        events.find(({ key }) => key === 'execution_status')?.value ===
        'running'
      )
        continue;
      if (!(await a.say(this.#steps(round)))) continue;
      if (await this.#waitsAfterMessage(id)) return;
      await this.#judge(id);
      assert.deepEqual(this.outcome.unaccepted, []);
    }
  }

  /** Something waits, because of a message of the test. */
  async #prepare(id: string, round: number): Promise<void> {
    const text = this.#steps(round);
    for (;;) {
      const read = this.#served.clock.now();
      const events = await this.#events(
        id,
        'sort_order=TIMESTAMP_DESC&limit=30',
      );
      const state = events.find(({ key }) => key === 'execution_status')?.value;
      if (state === 'waiting_for_confirmation') {
        await this.#tell(id, 'events/respond_to_confirmation', {
          accept: false,
          reason: 'Another round.',
        });
      } else if (state === 'running') {
        continue;
      }
      // An action that a window has allowed may only begin now, and this
      // message runs the next one.
      const sent: Sent = { conversationId: id, read, answered: Infinity };
      this.#preparations.push(sent);
      await this.#say(id, text, true);
      sent.answered = this.#served.clock.now();
      if (await this.#waitsAfterMessage(id)) return;
    }
  }

  /**
   * Resolves when the agent has worked on the newest message: to whether it
   * waits then.
   */
  async #waitsAfterMessage(id: string): Promise<boolean> {
    for (;;) {
      const events = await this.#events(
        id,
        'sort_order=TIMESTAMP_DESC&limit=100',
      );
      const message = events.findIndex(
        ({ kind, source }) => kind === 'MessageEvent' && source === 'user',
      );
      const state = events
        .slice(0, message)
        .find(({ key }) => key === 'execution_status')?.value;
      if (state === 'waiting_for_confirmation') return true;
      if (state !== undefined && state !== 'idle' && state !== 'running')
        return false;
    }
  }

  /** Requests that can only stop something, at some moment. */
  async #interfere(id: string): Promise<void> {
    await randomMoment(12, this.#random);
    switch (this.#random(5)) {
      case 0:
        await this.#tell(id, 'events/respond_to_confirmation', {
          accept: false,
          reason: 'No.',
        });
        break;
      case 1:
        await this.#interrupt(id);
        break;
      case 2:
        await this.#say(id, 'Just so you know.', false);
        break;
      default:
    }
  }

  async #interrupt(id: string): Promise<void> {
    try {
      await this.#tell(id, 'interrupt');
    } catch (error) {
      if (!(
        error instanceof UnexpectedAnswer && isFailedInterrupt(error.answer)
      ))
        throw error;
      this.outcome.failedInterrupts++;
    }
  }

  /**
   * Counts a fault of the service that a window met, because the window shows
   * it and goes on.
   */
  #countFault(answer: Answer): void {
    if (isFailedInterrupt(answer)) this.outcome.failedInterrupts++;
    else if (isServiceFault(answer))
      this.outcome.faults.push(describeAnswer(answer));
  }

  async #window(id: string, name: string): Promise<RaceWindow> {
    const { url, key, windowClock } = this.#served;
    let read = 0;
    const client = createClient({
      address: new URL(url),
      authentication: 'sessionKey',
      key: new Secret(key),
      interface: 'agentServer',
      clock: windowClock,
      requestsPerSecond: Infinity,
      deadline: 100_000_000,
      fetch: async (input, init) => {
        const { pathname, searchParams } = input as URL;
        const send = async () => {
          const response = await fetch(input, init);
          if (isServiceFault(response)) {
            const { status } = response;
            const body = await response.clone().text();
            this.#countFault({
              method: init?.method ?? 'GET',
              path: pathname.slice(1),
              status,
              body,
            });
          }
          return response;
        };
        const isChange = init?.method !== undefined && init.method !== 'GET';
        const now = this.#served.clock.now();
        if (pathname.endsWith('/events/search') && !searchParams.has('page_id'))
          read = now;
        const runs = /\/(run|respond_to_confirmation)$/.test(pathname);
        const noted = () => {
          const path = pathname.split('/').slice(4).join('/');
          const what = `window ${name}: ${path} ${textOf(init?.body)}, ${Math.round(now - read)} ms after its last read began`;
          return this.#noteChange(id, what, send);
        };
        if (!isChange) return await send();
        if (!runs) return await noted();
        const sent: Sent = { conversationId: id, read, answered: Infinity };
        this.#sent.push(sent);
        try {
          return await noted();
        } finally {
          sent.answered = this.#served.clock.now();
          this.outcome.windows.push(sent.answered - read);
        }
      },
    });
    const nothing = () => undefined;
    const row = await (await client.recognise()).conversations.find(id);
    assert.ok(row);
    const steering = new AgentSteering({
      client,
      clock: windowClock,
      locations: new AgentLocations(client),
      conversations: {
        recordRead: nothing,
        approvalRead: nothing,
        insertFirst: nothing,
        edit: nothing,
      },
      approvals: new Approvals(new ApprovalMemory(this.#served.choicesPath)),
      work: new Cancellation(),
    });
    const { signal } = new AbortController();
    const message = { text: 'call: terminal {"command": "echo more"}' };
    return {
      shown: async () => {
        const waiting = await steering.read(row, signal);
        return waiting.status === 'waits' ? waiting.actions : [];
      },
      say: async (text) => {
        try {
          const sent = await steering.send(row, { text }, signal);
          return sent.result === 'sent' && !sent.notRun;
        } catch (error) {
          if (!(error instanceof UserError)) throw error;
          return false;
        }
      },
      askForEverything: () => steering.setConfirmation(row, 'always', signal),
      fork: async () =>
        (await steering.fork(row, 'Fork', undefined, signal)).id,
      act: async (shown, what) => {
        await randomMoment(8, this.#random);
        if (what === 'accept')
          for (const action of shown) this.#accepted.add(action.id);
        const acts = {
          accept: () => steering.answer(row, shown, { accept: true }, signal),
          reject: () =>
            steering.answer(
              row,
              shown,
              { accept: false, reason: 'No.' },
              signal,
            ),
          send: () => steering.send(row, message, signal),
          resume: () => steering.resume(row, signal),
          rejectAndSend: () =>
            steering.rejectAndSend(row, shown, message, signal),
          stop: () => steering.stop(row, signal),
        };
        try {
          await acts[what]();
        } catch (error) {
          // A refused request has done nothing. A failed one may have done
          // something, and the window says so.
          if (!(error instanceof UserError)) throw error;
          if (
            what === 'stop' &&
            error instanceof ServiceError &&
            error.kind === 'serverFailed'
          )
            assert.ok(error.circumstances.outcomeUnknown, error.message);
        }
      },
    };
  }

  /** Looks at everything that ran. */
  async #judge(id: string): Promise<void> {
    const all: WireEvent[] = [];
    let page: { items: WireEvent[]; next_page_id: string | null };
    let query = 'limit=100';
    do {
      page = await this.#ask(
        'GET',
        `api/conversations/${id}/events/search?${query}`,
      );
      all.push(...page.items);
      query = `limit=100&page_id=${page.next_page_id ?? ''}`;
    } while (page.next_page_id !== null);
    const results = new Set(
      all.flatMap(({ kind, action_id }) =>
        kind === 'ObservationEvent' ? action_id : [],
      ),
    );
    for (const event of all) {
      if (
        event.kind !== 'ActionEvent' ||
        event.tool_name !== 'terminal' ||
        !results.has(event.id)
      )
        continue;
      if (this.#judged.has(event.id)) continue;
      this.#judged.add(event.id);
      this.outcome.ran++;
      const began = new Date(event.timestamp).getTime();
      const mayBeUnread = ({ conversationId, read, answered }: Sent) =>
        conversationId === id && read <= began + 1 && began - 1 <= answered;
      if (this.#accepted.has(event.id)) this.outcome.accepted++;
      // It was not there yet when the last read began, and it was when what was
      // sent then was answered.
      else if (this.#sent.some(mayBeUnread)) this.outcome.inTheWindow++;
      else if (this.#preparations.some(mayBeUnread))
        this.outcome.ranByPreparation++;
      else this.outcome.unaccepted.push(this.#historyOf(event, id, all));
    }
  }

  /**
   * The requests to the service and its actions, from shortly before the action
   * until it had run.
   */
  #historyOf(
    action: WireEvent,
    conversationId: string,
    all: readonly WireEvent[],
  ): string {
    const at = (event: WireEvent) => new Date(event.timestamp).getTime();
    const ran = all.find(
      ({ kind, action_id }) =>
        kind === 'ObservationEvent' && action_id === action.id,
    );
    const [begin, end] = [at(action) - historyMs, ran ? at(ran) : Infinity];
    const changes = this.#changes.filter(
      (change) =>
        change.conversationId === conversationId &&
        change.answered >= begin &&
        change.begun <= end,
    );
    const events = all.filter(
      (event) => at(event) >= begin && at(event) <= end,
    );
    const lines = [
      ...changes.map(({ what, begun, answered }) => ({
        time: begun,
        text: `${what}, answered after ${Math.round(answered - begun)} ms`,
      })),
      ...events.map((event) => ({
        time: at(event),
        text: describeEvent(event),
      })),
    ].sort((a, b) => a.time - b.time);
    return lines
      .map(({ time, text }) => `${Math.round(time - at(action))} ms: ${text}`)
      .join('\n');
  }

  async #noteChange<T>(
    conversationId: string,
    what: string,
    send: () => Promise<T>,
  ): Promise<T> {
    const change: Change = {
      conversationId,
      what,
      begun: this.#served.clock.now(),
      answered: Infinity,
    };
    this.#changes.push(change);
    try {
      return await send();
    } finally {
      change.answered = this.#served.clock.now();
    }
  }

  async #say(id: string, text: string, run: boolean): Promise<void> {
    await this.#tell(id, 'events', {
      role: 'user',
      content: [{ type: 'text', text }],
      run,
    });
  }

  async #tell(id: string, what: string, body: unknown = {}): Promise<void> {
    const send = () =>
      this.#ask('POST', `api/conversations/${id}/${what}`, body);
    await this.#noteChange(id, `test: ${what} ${JSON.stringify(body)}`, send);
  }

  async #events(id: string, query: string): Promise<readonly WireEvent[]> {
    const { items } = await this.#ask<{ items: WireEvent[] }>(
      'GET',
      `api/conversations/${id}/events/search?${query}`,
    );
    return items;
  }

  async #ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    return await request(this.#served, method, path, body);
  }
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : '';
}

function describeEvent({ id, kind, action_id, key, value }: WireEvent): string {
  return [kind, id, key, typeof value === 'string' ? value : '', action_id]
    .filter(Boolean)
    .join(' ');
}

/**
 * The longest and the usual one, in words; `hurry` is how much faster than real
 * time the clock of the service is.
 */
function windowsInWords({ windows }: Outcome, hurry = 1): string {
  const sorted = windows.map((length) => length / hurry).sort((a, b) => a - b);
  const [usual = 0, longest = 0] = [
    sorted[Math.floor(sorted.length / 2)],
    sorted.at(-1),
  ];
  return `the window was usually ${Math.round(usual)} ms long, at most ${Math.round(longest)} ms`;
}

interface Plan {
  readonly races: number;
  /** The number of races in each conversation, and of conversations at once. */
  readonly rounds: number;
  readonly together: number;
  /** The factor by which the clock of the service is faster than a real one. */
  readonly hurry?: number;
  /** The opponent, in words. */
  readonly against: string;
}

/**
 * Fails if anything ran that was not accepted, and notes how many races there
 * were.
 */
export async function race(
  served: Served,
  { races, rounds, together, hurry, against }: Plan,
): Promise<Outcome> {
  const all = new Races(served, 17);
  let left = Math.ceil(races / rounds);
  const work = async () => {
    while (left-- > 0) await all.run(Math.min(rounds, races));
  };
  await Promise.all(Array.from({ length: together }, work));
  judge(all.outcome, races, `races with ${against}`, hurry);
  return all.outcome;
}

/**
 * Does the same over restarts and forks, in several pairs of conversations, one
 * pair after the other.
 */
export async function raceInterrupted(
  served: Served,
  { races, rounds, against }: Omit<Plan, 'together' | 'hurry'>,
): Promise<Outcome> {
  const all = new Races(served, 17);
  const racesOfPair = 2 * rounds * (interruptions.length + 1);
  const pairs = Math.ceil(races / racesOfPair);
  for (let pair = 0; pair < pairs; pair++) await all.runInterrupted(rounds);
  const restarts =
    pairs *
    interruptions.filter((interruption) => interruption === 'restart').length;
  const forks = 2 * (pairs * interruptions.length - restarts);
  const words = `races with ${against}, half of them in conversations without a policy of creation, over ${restarts} restarts and ${forks} forks`;
  judge(all.outcome, pairs * racesOfPair, words);
  return all.outcome;
}

function judge(
  outcome: Outcome,
  races: number,
  words: string,
  hurry?: number,
): void {
  const { ran, accepted, inTheWindow, ranByPreparation, unaccepted, faults } =
    outcome;
  assert.deepEqual(unaccepted, []);
  assert.deepEqual(faults, []);
  assert.ok(accepted > races / 20, `${accepted} of ${ran} were accepted`);
  countDone(races, words);
  countDone(accepted, 'actions that ran because they were accepted');
  countDone(
    inTheWindow,
    `that began to wait between the last read and the handling: ${windowsInWords(outcome, hurry)}`,
  );
  countDone(
    ranByPreparation,
    'that the test itself let run, between two races',
  );
}
