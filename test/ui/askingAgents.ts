/**
 * Agents of the demo Agent Server that do as they are told, and ask before they
 * do it.
 */
import assert from 'node:assert/strict';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { eventually } from '../support/eventually.ts';

const path = '/api/conversations';

export class AskingAgents {
  readonly #service: MisbehavingDemo;
  readonly #created: string[] = [];

  constructor(service: MisbehavingDemo) {
    this.#service = service;
  }

  /** A conversation of an agent that has answered. Returns its id. */
  async create(title: string): Promise<string> {
    const text = { type: 'text', text: 'say: Good morning.' };
    const { id } = (await this.#ask('POST', '', {
      workspace: { working_dir: '/srv/agent/ledger' },
      agent_settings: {},
      initial_message: { role: 'user', content: [text], run: true },
      confirmation_policy: { kind: 'AlwaysConfirm' },
    })) as { id: string };
    await this.#ask('PATCH', `/${id}`, { title });
    this.#created.push(id);
    return id;
  }

  /** Its agent wants to run these, and asks. */
  async wantTo(id: string, ...commands: readonly string[]): Promise<void> {
    const calls = commands.map(
      (command) => `terminal ${JSON.stringify({ command })}`,
    );
    const text = `call: ${calls.join(' ;; ')}\nsay: Done.`;
    await this.#ask('POST', `/${id}/events`, {
      role: 'user',
      content: [{ type: 'text', text }],
      run: true,
    });
  }

  /** Deletes all that were created. */
  async clear(): Promise<void> {
    await Promise.all(
      this.#created.splice(0).map((id) => this.#ask('DELETE', `/${id}`)),
    );
  }

  async waits(id: string): Promise<void> {
    await this.#comesTo(id, 'waiting_for_confirmation');
  }

  async finishes(id: string): Promise<void> {
    await this.#comesTo(id, 'finished');
  }

  /** Answers what it waits for. */
  async answer(id: string, accept: boolean): Promise<void> {
    await this.waits(id);
    await this.#ask('POST', `/${id}/events/respond_to_confirmation`, {
      accept,
    });
  }

  async #comesTo(id: string, status: string): Promise<void> {
    await eventually(async () => {
      const { execution_status } = (await this.#ask('GET', `/${id}`)) as {
        execution_status: string;
      };
      assert.equal(execution_status, status);
    });
  }

  async #ask(method: string, what: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.#service.url}${path}${what}`, {
      method,
      headers: {
        'X-Session-API-Key': this.#service.key,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${method} ${what}: ${response.status}`);
    return await response.json();
  }
}
