import { parseArgs } from 'node:util';
import { reason, UserError } from '../../../src/base/errors.ts';
import { switchNames } from './faults/misbehaving.ts';
import type { MisbehavingDemoOptions } from './faults/misbehavingDemo.ts';
import {
  absences,
  errorBodies,
  redirectStatuses,
  type FaultRefusal,
  type Switches,
} from './faults/misbehaviour.ts';
import {
  type ServiceInterface,
  serviceInterfaces,
} from '../../../src/service/abilities/agentService.ts';

export const usage = `Usage: npm run demo -- [options]

Runs the services of the demo on this machine until you press Ctrl-C: one with V0 and V1, and an Agent Server.

  --interface NAME     only one service, with this interface: v0 (with V1 beside it), v1 or agentServer
  --port N             the port, by default a free one; an Agent Server beside another service has the next one
  --conversations N    the number of conversations of each service
  --key K              the key that callers must send, by default a random one
  --seed N             the seed of everything that is invented, by default 1
  --misbehave NAME[=VALUE][,NAME[=VALUE]...]
                       what it does wrong; the value is optional
  --only TEXT          limits that to requests whose "METHOD /path?query" contains the text
  --times N            limits that to the first N requests
  --help

What it can do wrong: ${switchNames.join(', ')}.
They are explained in test/support/demo/faults/misbehaviour.ts. The value of rateLimit and unavailable is the header Retry-After.
`;

/** The options that the arguments ask for, or `help`. */
export function readArguments(
  args: readonly string[],
): MisbehavingDemoOptions | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const {
    key,
    seed,
    port,
    conversations,
    misbehave = [],
    only,
    times,
  } = values;
  return {
    ...(values.interface === undefined
      ? {}
      : { interface: readInterface(values.interface) }),
    ...(key === undefined ? {} : { key }),
    ...(seed === undefined ? {} : { seed: whole('--seed', seed) }),
    ...(port === undefined ? {} : { port: whole('--port', port, 65_535) }),
    ...(conversations === undefined
      ? {}
      : { conversations: whole('--conversations', conversations) }),
    misbehaviour: {
      ...Object.fromEntries(
        misbehave.flatMap((list) => list.split(',')).map(readSwitch),
      ),
      ...(only === undefined ? {} : { only }),
      ...(times === undefined ? {} : { times: whole('--times', times) }),
    },
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        interface: text,
        port: text,
        conversations: text,
        key: text,
        seed: text,
        misbehave: { ...text, multiple: true },
        only: text,
        times: text,
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UserError(`${reason(error)} See --help.`);
  }
}

/** The interface of this name. */
export function readInterface(text: string): ServiceInterface {
  const found = serviceInterfaces.find((name) => name === text);
  if (found) return found;
  throw new UserError(
    `--interface takes ${serviceInterfaces.join(', ')}, not "${text}".`,
  );
}

function whole(name: string, text: string, most = 2 ** 31 - 1): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw new UserError(
    `${name} takes a whole number from 0 to ${most}, not "${text}".`,
  );
}

function readSwitch(text: string): [string, unknown] {
  const [given = '', value] = text.split(/=(.*)/s);
  const name = switchNames.find((each) => each === given);
  if (!name)
    throw new UserError(
      `Unknown misbehaviour "${given}". Choose from: ${switchNames.join(', ')}.`,
    );
  const read: unknown = readers[name](value);
  if (read !== undefined) return [name, read];
  throw new UserError(
    `"${value ?? ''}" is not a value of ${name}: see test/support/demo/faults/misbehaviour.ts.`,
  );
}

/** Reads the text after `=`, if there is any; undefined if it is invalid. */
type Reader<Value> = (text: string | undefined) => Value | undefined;

const flag: Reader<boolean> = (text = 'true') =>
  text === 'true' || text === 'false' ? text === 'true' : undefined;

const number =
  <Usual>(usual: Usual): Reader<number | Usual> =>
  (text) =>
    text === undefined ? usual : /^\d+$/.test(text) ? Number(text) : undefined;

const text =
  <Usual>(usual: Usual): Reader<string | Usual> =>
  (text) =>
    text ?? usual;

const oneOf =
  <const Value extends string | number, Usual>(
    values: readonly Value[],
    usual: Usual,
  ): Reader<Value | Usual> =>
  (text) =>
    text === undefined ? usual : values.find((value) => String(value) === text);

const refusal: Reader<FaultRefusal> = (retryAfter = '2') => ({
  retryAfter,
  times: Infinity,
});

const readers: { readonly [Name in keyof Switches]: Reader<Switches[Name]> } = {
  noV0: oneOf(absences, '404'),
  noV1: oneOf(absences, '404'),
  noInterrupt: oneOf(absences, '404'),
  noWorktreeOptions: flag,
  noRatings: flag,
  htmlAt200: flag,
  idsRequired: flag,
  contractOnlyCreate: flag,
  strictLimit: flag,
  unknownCursorIs422: flag,
  emptyAnswers: number(204),
  interfaceLinks: flag,
  twoPartCursors: flag,
  errorWhileStarting: flag,
  busySandboxes: flag,
  forgottenConversations: flag,
  unknownSandboxes: flag,
  placeholderTitles: flag,
  oneSpec: flag,
  nullTitles: flag,
  duplicates: flag,
  emptyPages: number(2),
  filterAfterPaging: flag,
  repeatedCursor: flag,
  endlessPages: oneOf(['fresh'], true),
  failAfterPages: number(2),
  hostileCursor: flag,
  lateEvents: number(2),
  zonelessDates: flag,
  unknownValues: flag,
  brokenRecords: flag,
  missingFields: flag,
  extraFields: flag,
  hostileIds: flag,
  hostileTitles: flag,
  leakyDetails: flag,
  taskNeverEnds: flag,
  taskFails: flag,
  errorBody: oneOf(errorBodies, 'detail'),
  errorStatus: number(500),
  rateLimit: refusal,
  unavailable: refusal,
  unauthorized: flag,
  forbidden: flag,
  echoKey: number(true),
  redirectSelf: flag,
  redirectOther: text('https://other.invalid/'),
  redirectWithin: flag,
  redirectStatus: oneOf(redirectStatuses, 302),
  changedFiles: number(500),
  held: flag,
  slowHeaders: number(5_000),
  stallBody: flag,
  staleConnections: flag,
  reset: flag,
  resetBody: flag,
  truncatedJson: flag,
  wrongContentType: text(true),
  gzipBomb: number(true),
  endlessBody: flag,
  hugeBody: number(true),
  socketRefused: number(502),
  socketClosed: number(4001),
  socketBreaks: number(20),
  socketStalls: number(5),
  socketLoses: number(5),
  socketRepeats: flag,
  socketDisorder: flag,
  socketStates: flag,
};
