/**
 * Maskers of a value by its name: an option, a variable, a header or a field.
 */
import { isCodeVariable } from './codeVariables.ts';
import { maskTokens } from './maskTokens.ts';
import { isOpen, isOpenValue, isSecretName } from './secretNames.ts';

/** Masks the secret in a value; undefined if the value needs no mask. */
export type Masker = (value: string, cover: string) => string | undefined;

/**
 * The masker for the value after a name and a sign. Every variable may be a
 * secret, unless its value is code.
 */
export function setMasker(
  name: string,
  isVariable: boolean,
): Masker | undefined {
  const variable =
    /^(?:\$(?:env|Env|ENV):|-e(?=[A-Z_]))(.+)/.exec(name)?.[1] ??
    (isVariable ? name : undefined);
  if (variable !== undefined)
    return isCodeVariable(variable) ? undefined : valueMasker(variable);
  if (name.startsWith('-')) return optionMasker(name);
  return isSecretName(name) ? valueMasker(name) : undefined;
}

const pairOptions: ReadonlySet<string> = new Set([
  '-e',
  '--env',
  '-H',
  '--header',
  '--headers',
]);
const loginOptions: ReadonlySet<string> = new Set([
  '-u',
  '-U',
  '--user',
  '--proxy-user',
]);

/** True if the value of this option is a name with a value of its own. */
export function isPairOption(option: string): boolean {
  return pairOptions.has(option);
}

/** The masker for the value of an option. */
export function optionMasker(option: string): Masker | undefined {
  // A fast path for words that are no options: a pattern is slow to prepare.
  if (!option.startsWith('-')) return undefined;
  if (pairOptions.has(option)) return maskPair;
  if (loginOptions.has(option)) return maskLogin;
  // The shortest is `-pw`. Some have no value: `--no-auth`.
  const isNamed =
    /^-{1,2}(?!-|(?:no|skip|disable|enable|without|with|require|allow)-)[\w.-]{2,}$/.test(
      option,
    );
  return isNamed && isSecretName(option) ? valueMasker(option) : undefined;
}

export function isOption(text: string): boolean {
  return /^(?:-\w|--[A-Za-z][\w-]*(?:=.*)?)$/s.test(text);
}

export function valueMasker(name: string): Masker {
  return (value, cover) =>
    value === '' || isOpen(name, value) ? undefined : cover;
}

/** `KEY=value` or `Key: value`, perhaps still in its quotes. */
function maskPair(pair: string, cover: string): string | undefined {
  const [, start = '', name = '', value = ''] =
    /^[\\^`'"]*(([\w.-]+)(?:=|:\s*))(.+)/s.exec(pair) ?? [];
  return start === '' || isOpen(name, value) || isCodeVariable(name)
    ? undefined
    : start + cover;
}

/**
 * `user:password`. What else such options have is left: ids of users and
 * groups, and addresses.
 */
function maskLogin(login: string, cover: string): string | undefined {
  const isOther =
    /^(?:\d+:|(\w+):\1$|localhost:\d+$|[a-z]:\\|[^:]*:\/\/)/i.test(login) ||
    isOpenValue(login);
  const [, user = '', password = ''] = /^([^:]*:)(.+)/s.exec(login) ?? [];
  return isOther || password === '' || isOpenValue(password)
    ? undefined
    : maskTokens(user, cover) + cover;
}
