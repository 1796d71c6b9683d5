/** Hands a message to the program and the address in the user's settings. */
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { reason, UserError } from '../../base/errors.ts';
import { t, userError } from '../../base/l10n.ts';
import { isThisMachine } from '../../base/loopback.ts';
import type { Command } from '../../localServer/installCommands.ts';
import { runToEnd } from '../../localServer/runToEnd.ts';
import { serverEnvironment } from '../../localServer/serverEnvironment.ts';
import { isObject } from '../../service/http/wireValues.ts';

const maxDeliveryMs = 10_000;

interface AttentionTarget {
  readonly command: readonly string[] | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly includeAction: boolean;
  /** All states if it is undefined. */
  readonly on: readonly string[] | undefined;
}

/** Fields of the wrong type are ignored. */
export function attentionTarget(
  setting: Readonly<Record<string, unknown>>,
): AttentionTarget {
  const { command, url, headers, body, includeAction, on } = setting;
  return {
    command: isTexts(command) ? command : undefined,
    url: typeof url === 'string' ? url : undefined,
    headers: isObject(headers) ? headers : {},
    body: isObject(body) ? body : undefined,
    includeAction: includeAction === true,
    on: isTexts(on) ? on : undefined,
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.every((entry) => typeof entry === 'string')
  );
}

/** `action` is empty unless the user has turned it on. */
export type AttentionMessage = Readonly<
  Record<'state' | 'title' | 'service' | 'link' | 'text' | 'action', string>
>;

export interface AttentionDelivery {
  /** A sentence without secrets. */
  readonly outcome: string;
  readonly hasFailed: boolean;
  /** The message as JSON; `${env:NAME}` stands for values of variables. */
  readonly sent: string;
}

/** Never rejects. */
export async function deliver(
  { command = [], url, headers, body }: AttentionTarget,
  message: AttentionMessage,
  signal: AbortSignal,
  timeoutMs = maxDeliveryMs,
): Promise<readonly AttentionDelivery[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const attempt = async (
    name: string,
    sent: string,
    work: () => Promise<string>,
  ): Promise<AttentionDelivery> => {
    try {
      return { outcome: await work(), hasFailed: false, sent };
    } catch (error) {
      return {
        outcome: failureText(error, name, limit.aborted, timeoutMs),
        hasFailed: true,
        sent,
      };
    }
  };
  const deliveries: Promise<AttentionDelivery>[] = [];
  const [file, ...args] = command;
  if (file !== undefined) {
    const input = JSON.stringify(message);
    deliveries.push(
      attempt(basename(file), input, () =>
        start({ file, args }, message, input, limit),
      ),
    );
  }
  if (url !== undefined) {
    const bodyText = (variable: Variable) =>
      body
        ? JSON.stringify(body, (_, value: unknown) =>
            typeof value === 'string' ? fill(value, variable, message) : value,
          )
        : JSON.stringify(message);
    const name = URL.parse(url)?.host ?? 'switchboard.onAttention.url';
    const sent = bodyText((variable) => `\${env:${variable}}`);
    deliveries.push(
      attempt(name, sent, () =>
        post(url, { headers, body: bodyText(variableOf), signal: limit }),
      ),
    );
  }
  return await Promise.all(deliveries);
}

async function start(
  command: Command,
  message: AttentionMessage,
  input: string,
  signal: AbortSignal,
): Promise<string> {
  const variables = Object.fromEntries(
    Object.entries(message).map(([name, value]) => [
      `SWITCHBOARD_${name.toUpperCase()}`,
      value,
    ]),
  );
  await runToEnd(
    command,
    { signal, write: () => undefined },
    // The open folder may have programs of others.
    { input: `${input}\n`, variables, folder: homedir() },
  );
  return t('{0} ended with exit code 0.', basename(command.file));
}

async function post(
  address: string,
  { headers, body, signal }: PostOptions,
): Promise<string> {
  const url = URL.parse(fill(address, variableOf));
  const isSafe =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && isThisMachine(url.hostname));
  if (!url || !isSafe || url.username !== '' || url.password !== '')
    throw userError(
      'The address to notify must begin with https, or be on this machine, and have no password in it.',
    );
  const ownHeaders = Object.entries(headers).map(([name, value]) => [
    name,
    fill(String(value), variableOf),
  ]);
  const {
    body: answer,
    ok,
    status,
  } = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(Object.fromEntries(ownHeaders) as Record<string, string>),
    },
    redirect: 'manual',
    body,
    signal,
  });
  await answer?.cancel();
  const outcome = t('{0} answered with status {1}.', url.host, status);
  if (!ok) throw new UserError(outcome);
  return outcome;
}

interface PostOptions {
  readonly headers: AttentionTarget['headers'];
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Omits details that can repeat a header or an address. */
function failureText(
  error: unknown,
  name: string,
  isOver: boolean,
  timeoutMs: number,
): string {
  if (isOver) return t('{0} took longer than {1} s.', name, timeoutMs / 1_000);
  if (error instanceof UserError) return error.message;
  const { cause, code } = error as NodeJS.ErrnoException;
  return t('{0} failed: {1}', name, cause ? reason(cause) : (code ?? ''));
}

type Variable = (name: string) => string;

/** Replaces each placeholder once, so that no value can hold another one. */
function fill(
  text: string,
  variable: Variable,
  message: Partial<AttentionMessage> = {},
): string {
  return text.replace(
    /\$\{(env:)?(\w+)\}/g,
    (whole, isVariable: string | undefined, name: string) => {
      if (isVariable) return variable(name);
      return Object.hasOwn(message, name)
        ? (message[name as keyof AttentionMessage] ?? whole)
        : whole;
    },
  );
}

function variableOf(name: string): string {
  const value = serverEnvironment()[name];
  if (value === undefined)
    throw userError(
      'The environment variable {0} is not set for VS Code.',
      name,
    );
  return value;
}
