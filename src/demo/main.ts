/** npm run demo: the demo service alone, in a terminal. */
import { UserError } from '../base/errors.ts';
import { readArguments, usage } from './arguments.ts';
import { type MisbehavingDemoOptions, startMisbehavingDemo } from './faults/misbehavingDemo.ts';

/** What to ask first. */
const examples = {
  v0: 'conversations',
  v1: 'v1/app-conversations/search',
  agentServer: 'conversations/search',
};

async function run(options: MisbehavingDemoOptions): Promise<void> {
  const demo = await startMisbehavingDemo(options);
  const { url, key } = demo;
  const wrong = Object.keys(options.misbehaviour ?? {});
  console.log(`Address: ${url}`);
  console.log(`Key:     ${key}`);
  if (wrong.length > 0) console.log(`Misbehaves: ${wrong.join(', ')}`);
  const path = examples[options.interface ?? 'v0'];
  console.log(`\ncurl -H 'X-Session-API-Key: ${key}' '${url}/api/${path}?limit=3'`);
  console.log('\nPress Ctrl-C to stop it.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void demo.stop());
}

try {
  const options = readArguments(process.argv.slice(2));
  if (options === 'help') console.log(usage);
  else await run(options);
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = error instanceof UserError ? 2 : 1;
}
