/**
 * For tests with several services: demo services that differ, and one that
 * never answers.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  MisbehavingDemo,
  MisbehavingDemoOptions,
} from '../support/demo/faults/misbehavingDemo.ts';
import type { ServiceSetting } from '../../src/editor/manifest.ts';
import type { Desk } from './desk.ts';

const names = ['Alpha', 'Beta', 'Gamma'] as const;

export interface NamedDemo extends MisbehavingDemo {
  readonly name: string;
  /** The entry in the settings that connects it. */
  readonly setting: ServiceSetting;
}

/**
 * Starts a demo service for each of the options, with a name, a key and
 * conversations of its own.
 */
export async function serveSeveral<
  const All extends readonly MisbehavingDemoOptions[],
>(desk: Desk, ...all: All): Promise<{ [Index in keyof All]: NamedDemo }> {
  const demos: NamedDemo[] = [];
  for (const [index, options] of all.entries()) {
    const name = names[index] ?? '';
    const demo = await desk.serve({
      seed: index + 1,
      key: `key-of-${name}`,
      ...options,
    });
    demos.push(Object.assign(demo, { name, setting: { name, url: demo.url } }));
  }
  return demos as unknown as { [Index in keyof All]: NamedDemo };
}

export interface Silent {
  readonly url: string;
  /** The numbers of all requests and of those that still wait. */
  readonly asked: number;
  readonly open: number;
  stop(): void;
}

/** A service that accepts every connection and never answers. */
export async function startSilent(): Promise<Silent> {
  let asked = 0;
  let open = 0;
  const server = createServer((_request, response) => {
    asked++;
    open++;
    response.once('close', () => open--);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    get open() {
      return open;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
