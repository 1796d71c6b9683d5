/**
 * Tells if the question before a start shows all that would run: consent covers
 * only what was shown.
 */
import { isCodeVariable } from '../../base/masks/codeVariables.ts';
import { maskText } from '../../base/masks/maskText.ts';
import { maxMaskedLength } from '../../base/masks/maskUrl.ts';
import type { Secret } from '../../base/secret.ts';
import { ArgumentMasker, scriptOption, shellWord } from './mask.ts';

/** Longer lines are cut off where they are shown. */
const maxLineLength = 9_000;

/** A server of a file or of a service, which may not report the variables. */
type StartedServer =
  | { readonly url: string }
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: ReadonlyMap<string, Secret>;
    };

/** `maskedCode`: a mask covers text that could run something. */
export type ConsentObstacle = 'tooLong' | 'maskedCode';

export function consentObstacle(
  server: StartedServer,
  cwd = '',
): ConsentObstacle | undefined {
  if ('url' in server)
    return areShort([server.url, cwd], [shellWord(server.url)])
      ? undefined
      : 'tooLong';
  const { command, args, env } = server;
  const variables = [...(env ?? [])].flatMap(([name, value]) =>
    isCodeVariable(name) ? [{ name, value: value.reveal() }] : [],
  );
  const values = variables.map(({ value }) => value);
  const lines = [
    [command, ...args].map(shellWord).join(' '),
    ...variables.map(({ name, value }) => `${name}=${shellWord(value)}`),
  ];
  if (!areShort([command, ...args, ...values, cwd], lines)) return 'tooLong';
  const isHidden =
    [command, ...values].some((text) =>
      hides(text, maskText(text), substitution),
    ) || hasHiddenArgument(command, args);
  return isHidden ? 'maskedCode' : undefined;
}

function areShort(texts: readonly string[], lines: readonly string[]): boolean {
  return (
    texts.every(({ length }) => length <= maxMaskedLength) &&
    lines.every(({ length }) => length <= maxLineLength)
  );
}

/** Signs that begin a command, even within quotes. */
const substitution = /\$\(|`|[<>]\(/g;

/**
 * Signs that can end a value in a script. The word before a token belongs to
 * the token.
 */
const scriptSign = /[;|&()`<>]|(?<!\b(?:bearer|basic|token|digest))\s/gi;

/** Runs a text that comes from another part of the script. */
const runsText =
  /\b(?:eval|source|xargs)\b|\|\s*(?:\S*\/)?(?:\w*sh|node|python[\d.]*|perl|ruby|php)\b/;

/** Programs whose arguments after the option are all of the script. */
const shell =
  /(?:^|[\\/])(?:(?:ba|z|da|k|a|fi)?sh|cmd|pwsh|powershell)(?:\.exe)?$/i;

/** Programs that run code of their own language. */
const interpreter =
  /(?:^|[\\/])(?:node(?:js)?|deno|bun|tsx|python[\d.]*|perl|ruby|php|lua|osascript|pwsh|powershell)(?:\.exe)?$/i;
const codeOption = /^(?:-[a-z]*[cepr]|--(?:eval|print)|[-/]en?(?:c[a-z]*)?)$/i;
const codeWithOption = /^(?:--(?:eval|print)=|-[cepr].)/i;

function hasHiddenArgument(command: string, args: readonly string[]): boolean {
  const masker = new ArgumentMasker(command);
  let before = command;
  let isShell = shell.test(command);
  let isShellScript = false;
  let isInterpreted = interpreter.test(command);
  for (const arg of args) {
    const shownArg = masker.mask(arg);
    const isCode = codeOption.test(before) || codeWithOption.test(arg);
    const isScript = scriptOption.test(before);
    isShellScript ||= isShell && isScript;
    const signs = isScript || isShellScript ? scriptSign : substitution;
    const isRun =
      (isInterpreted && isCode) || (isScript && runsText.test(shownArg));
    const isHidden = isRun ? arg !== shownArg : hides(arg, shownArg, signs);
    if (isHidden) return true;
    isShell ||= shell.test(arg);
    isInterpreted ||= interpreter.test(arg);
    before = arg;
  }
  return false;
}

/** True if the masked text lacks some of these signs. */
function hides(text: string, masked: string, signs: RegExp): boolean {
  const count = (part: string) => part.match(signs)?.length ?? 0;
  return count(text) > count(masked);
}
