/**
 * node overwriter.ts FILE: a program that does not use the lock. It counts up
 * in the file at random moments until its standard input ends, and checks
 * before each write that its last one is still there. Then it prints { writes,
 * lost }.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  setImmediate as nextTurn,
  setTimeout as pause,
} from 'node:timers/promises';
import { parsed, type Counts } from './scratch.ts';

const [file = ''] = process.argv.slice(2);
let ending = false;
process.stdin.once('end', () => (ending = true)).resume();
const isEnding = () => ending;

const read = (): Counts => parsed(readFileSync(file, 'utf8'));

let writes = 0;
let lost = 0;
while (!isEnding()) {
  // An update that replaced our last write restores it at once, so wait for
  // that.
  const end = Date.now() + 2_000;
  let counts = read();
  while (writes > 0 && counts.theirs !== writes && Date.now() < end) {
    await nextTurn();
    counts = read();
  }
  if (writes > 0 && counts.theirs !== writes) lost++;
  writeFileSync(file, JSON.stringify({ ...counts, theirs: ++writes }));
  await pause(Math.random() * 8);
}
console.log(JSON.stringify({ writes, lost }));
