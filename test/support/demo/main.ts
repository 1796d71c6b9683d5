/** npm run demo: the demo service alone, in a terminal. */
import { UserError } from '../../../src/base/errors.ts';
import { readArguments, usage } from './arguments.ts';
import { demoServices } from '../../../src/demo/world/demoServices.ts';
import {
  type MisbehavingDemoOptions,
  startMisbehavingDemo,
} from './faults/misbehavingDemo.ts';

/** A first request for each interface. */
const examples = {
  v0: 'conversations',
  v1: 'v1/app-conversations/search',
  agentServer: 'conversations/search',
};

/**
 * Both services, or the one whose interface was named. The second has the next
 * port.
 */
async function run(given: MisbehavingDemoOptions): Promise<void> {
  const { port = 0, ...options } = given;
  const wanted =
    options.interface === undefined ? demoServices : [{ name: 'Demo' }];
  for (const [index, service] of wanted.entries())
    await runOne({
      ...service,
      ...options,
      port: port === 0 ? 0 : port + index,
    });
  const wrong = Object.keys(options.misbehaviour ?? {});
  if (wrong.length > 0) console.log(`\nMisbehaves: ${wrong.join(', ')}`);
  console.log('\nPress Ctrl-C to stop it.');
}

async function runOne({
  name,
  ...options
}: MisbehavingDemoOptions & { name: string }): Promise<void> {
  const demo = await startMisbehavingDemo(options);
  const { url, key } = demo;
  console.log(`\n${name}\nAddress: ${url}\nKey:     ${key}`);
  const path = examples[options.interface ?? 'v0'];
  console.log(
    `curl -H 'X-Session-API-Key: ${key}' '${url}/api/${path}?limit=3'`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void demo.stop());
}

try {
  const options = readArguments(process.argv.slice(2));
  if (options === 'help') console.log(usage);
  else await run(options);
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = error instanceof UserError ? 2 : 1;
}
