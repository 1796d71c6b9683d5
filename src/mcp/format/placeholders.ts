/** Recognizes placeholders in READMEs of servers. */

/**
 * Text before the actual value, as in `Bearer YOUR_TOKEN`, `Authorization: xxx`
 * and `--key=changeme`.
 */
const lead = /^(?:[\w.-]+\s*[:=]\s*)?(?:(?:bearer|basic|token|apikey)\s+)?/i;

/** Beginnings of keys, as in `sk-ant-xxx` and `ghp_your_token`. */
const issued = String.raw`(?:(?:sk|pk|rk|gh[opsur]|github|glpat|xox[a-z]|npm|hf|pat|key|token|test|live|proj|ant|api)[-_])*`;

const secret = String.raw`(?:key|token|secret|password|passwd|pass|credentials?|pat|id|url|host|name|username|user|account)s?`;

/** Patterns for a whole value. */
const whole = [
  // <token>, [API KEY], {api_key}, {{ token }}, %TOKEN%. Without these words,
  // the latter can be patterns or templates.
  /^<[^<>]+>$/,
  new RegExp(
    String.raw`^(?:\[[\w .-]*${secret}\]|\{\{?\s*[\w-]*${secret}\s*\}?\}|%[\w-]*${secret}%)$`,
    'i',
  ),
  // xxx, XXXX-XXXX, sk-xxxx, ..., …, ***, and our own mask.
  new RegExp(`^${issued}(?:x{3,}(?:[-_.]x+)*|\\.{3,}|…|\\*{3,}|•{3,})$`, 'i'),
  // YOUR_KEY, your api key, YourToken, yourtoken, sk-your-key
  new RegExp(
    `^${issued}your(?:[-_ ][a-z].*|(?:[-_ ]?[a-z]+)?[-_ ]?${secret})$`,
    'i',
  ),
  new RegExp(
    `^${issued}my(?:[-_ ]?(?:super|api|access|secret|auth|private))*[-_ ]?(?:key|token|secret|password)$`,
    'i',
  ),
  /^(?:change|replace|fill)[-_ ]?(?:me|it|this|in)\d*!?$/i,
  new RegExp(
    String.raw`^(?:replace|insert|enter|paste)[-_ ](?:with[-_ ])?(?:(?:your|my)[-_ ].+|(?:(?:the|an?)[-_ ])?(?:[a-z]+[-_ ])?${secret}(?:[-_ ]here)?)$`,
    'i',
  ),
  new RegExp(`^[\\w .-]*(?:${secret}|value)(?:[-_ ]goes)?[-_ ]here$`, 'i'),
  /^(?:todo|fixme|tbd|placeholder|dummy)$/i,
];

/** Every placeholder matches this. It rules out most values at once. */
const hint =
  /[<[{%*•…]|\.{3}|x{3}|your|my|change|replace|fill|insert|enter|paste|here|todo|fixme|tbd|placeholder|dummy/i;

/** Placeholders in a URL. */
const part =
  /<[^<>]+>|\{\{?\s*[A-Za-z][\w .-]*\s*\}?\}|(?<=[/.@=:])your[-_][a-z]|(?<=[/=])x{3,}(?![a-z])/i;

/**
 * True if the value, or the rest after a lead such as `Bearer`, stands for a
 * real one. Not for references (`${TOKEN}`).
 */
export function isPlaceholder(value: string): boolean {
  if (value.length > 300 || !hint.test(value)) return false;
  const text = value.trim();
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text))
    return part.test(text.replace(/\$\{[^}]*\}/g, ''));
  return isWhole(text) || isWhole(text.replace(lead, ''));
}

/**
 * True for a placeholder, or a value with a sample path, as in
 * `--root=/path/to/files`.
 */
export function hasPlaceholder(value: string): boolean {
  if (isPlaceholder(value)) return true;
  return (
    value.length <= 300 &&
    /path|users|home/i.test(value) &&
    value.search(nobodysPath) >= 0
  );
}

const nobody = String.raw`(?:your|my)[-_ ]?(?:user[-_ ]?)?name|your[-_ ]?user|user[-_ ]?name|<[^<>]+>|\{[^{}]+\}|\[[\w -]+\]`;

/** Sample paths, each at the start of a word. */
export const nobodysPath = new RegExp(
  String.raw`(?<![^\s"'=:,])(?:${[
    // /path/to/files, C:\path\to\files, /absolute/path/to/files,
    // path/to/server.py
    String.raw`(?:[a-z]:)?[\\/]+(?:(?:absolute|full|your|real)[\\/]+)?path[\\/]+to(?:[\\/][^\s"':]*)?`,
    String.raw`(?:\.[\\/]+)?path[\\/]+to[\\/][^\s"':]*`,
    String.raw`(?:[a-z]:)?[\\/]+(?:users|home)[\\/]+(?:${nobody})(?![\w-])(?:[\\/][^\s"':]*)?`,
  ].join('|')})`,
  'gi',
);

function isWhole(text: string): boolean {
  return whole.some((pattern) => pattern.test(text));
}
