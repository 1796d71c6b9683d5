import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../host/paths.ts';
import { step, StepError } from '../host/steps.ts';
import { ours, type Peer, peers as all } from './commandLines.ts';
import { fetchPeer } from './fetchPeer.ts';
import { peerRows, type Results } from './peerRows.ts';
import { enterRoom, type Room } from './room.ts';
import type { Row } from './table.ts';

const runs = 15;
const atOnce = 8;
const rounds = 5;

interface Measured extends Results {
  readonly room?: Room;
}

/**
 * The built command-line program, compared with public ones that also manage
 * MCP servers.
 */
export async function peers(): Promise<Row[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-bench-'));
  try {
    const cli = join(root, 'dist/cli.cjs');
    const own = canBeMeasured(
      await enterRoom(ours, [process.execPath, cli], join(scratch, ours.name)),
    );
    const others: [Peer, Measured][] = [];
    for (const peer of all) others.push([peer, await prepare(peer, scratch)]);
    const everybody = [own, ...others.map(([, other]) => other)];
    await time(everybody);
    await addAtOnce(everybody);
    return peerRows(own, others, atOnce);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function canBeMeasured(room: Room): Measured {
  return { room, list: [], add: [], kept: [] };
}

/** A peer that does not work on this machine is named in the table. */
async function prepare(peer: Peer, scratch: string): Promise<Measured> {
  const not = (why: string) => ({ list: why, add: why, kept: why });
  const program = await fetchPeer(peer).catch(note);
  if (!program) return not('not available here');
  const room = await enterRoom(peer, program, join(scratch, peer.name)).catch(
    note,
  );
  return room ? canBeMeasured(room) : not('cannot add a server here');
}

/** Kept out of the table, because it may name folders and hosts. */
function note(error: unknown): undefined {
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}\n`,
  );
  if (error instanceof StepError) process.stderr.write(`${error.advice}\n`);
}

/** Times all in turns, so that other load affects them equally. */
async function time(everybody: readonly Measured[]): Promise<void> {
  await step('Running the command lines', async (progress) => {
    for (let run = 1; run <= runs; run++) {
      progress(`run ${run} of ${runs}`);
      for (const one of run % 2 === 0 ? everybody : everybody.toReversed()) {
        await measure(one, 'list', (room) => room.list());
        await measure(one, 'add', (room) => room.add());
      }
    }
  });
}

async function addAtOnce(everybody: readonly Measured[]): Promise<void> {
  await step(`Adding ${atOnce} servers at once`, async (progress) => {
    for (let round = 1; round <= rounds; round++) {
      progress(`round ${round} of ${rounds}`);
      for (const one of everybody)
        await measure(one, 'kept', (room) => room.addAtOnce(atOnce));
    }
  });
}

async function measure(
  one: Measured,
  what: keyof Results,
  work: (room: Room) => Promise<number>,
): Promise<void> {
  const results = one[what];
  if (!one.room || typeof results === 'string') return;
  try {
    results.push(await work(one.room));
  } catch (error) {
    note(error);
    one[what] = 'fails here';
  }
}
