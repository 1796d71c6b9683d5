/** What people leave in a value that they were meant to replace, as READMEs of servers write it. */

/** What comes before the actual value, as in `Bearer YOUR_TOKEN`, `Authorization: xxx` and `--key=changeme`. */
const lead = /^(?:[\w.-]+\s*[:=]\s*)?(?:(?:bearer|basic|token|apikey)\s+)?/i;

/** What services begin their keys with, as in `sk-ant-xxx` and `ghp_your_token`. */
const issued = String.raw`(?:(?:sk|pk|rk|gh[opsur]|github|glpat|xox[a-z]|npm|hf|pat|key|token|test|live|proj|ant|api)[-_])*`;

const secret = String.raw`(?:key|token|secret|password|passwd|pass|credentials?|pat|id|url|host|name|username|user|account)s?`;

/** The whole of a value. */
const whole = [
  // <token>, [API KEY], {api_key}, {{ token }}, %TOKEN%. Others than the first can be patterns or templates.
  /^<[^<>]+>$/,
  new RegExp(String.raw`^(?:\[[\w .-]*${secret}\]|\{\{?\s*[\w-]*${secret}\s*\}?\}|%[\w-]*${secret}%)$`, 'i'),
  // xxx, XXXX-XXXX, sk-xxxx, ..., …, ***, and our own mask.
  new RegExp(`^${issued}(?:x{3,}(?:[-_.]x+)*|\\.{3,}|…|\\*{3,}|•{3,})$`, 'i'),
  // YOUR_KEY, your api key, YourToken, yourtoken, sk-your-key
  new RegExp(`^${issued}your(?:[-_ ][a-z].*|(?:[-_ ]?[a-z]+)?[-_ ]?${secret})$`, 'i'),
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

/** What every placeholder has somewhere. Most values are known to be none after this one look. */
const hint =
  /[<[{%*•…]|\.{3}|x{3}|your|my|change|replace|fill|insert|enter|paste|here|todo|fixme|tbd|placeholder|dummy/i;

/** A part of an address. Real addresses have no such signs and words. */
const part = /<[^<>]+>|\{\{?\s*[A-Za-z][\w .-]*\s*\}?\}|(?<=[/.@=:])your[-_][a-z]|(?<=[/=])x{3,}(?![a-z])/i;

/**
 * Whether this value, or what follows a lead such as `Bearer`, was to be replaced by a real one. References to
 * variables (`${TOKEN}`) are none.
 */
export function isPlaceholder(value: string): boolean {
  if (value.length > 300 || !hint.test(value)) return false;
  const text = value.trim();
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return part.test(text.replace(/\$\{[^}]*\}/g, ''));
  return isWhole(text) || isWhole(text.replace(lead, ''));
}

/** Whether there is one in a value, as in `--root=/path/to/files`: a path that is nobody's may be part of it. */
export function hasPlaceholder(value: string): boolean {
  if (isPlaceholder(value)) return true;
  return value.length <= 300 && /path|users|home/i.test(value) && value.search(nobodysPath) >= 0;
}

const nobody = String.raw`(?:your|my)[-_ ]?(?:user[-_ ]?)?name|your[-_ ]?user|user[-_ ]?name|<[^<>]+>|\{[^{}]+\}|\[[\w -]+\]`;

/** Paths in which somebody's own was to be put, each where a word begins. */
export const nobodysPath = new RegExp(
  String.raw`(?<![^\s"'=:,])(?:${[
    // /path/to/files, C:\path\to\files, /absolute/path/to/files, path/to/server.py
    String.raw`(?:[a-z]:)?[\\/]+(?:(?:absolute|full|your|real)[\\/]+)?path[\\/]+to(?:[\\/][^\s"':]*)?`,
    String.raw`(?:\.[\\/]+)?path[\\/]+to[\\/][^\s"':]*`,
    // The home folder of nobody.
    String.raw`(?:[a-z]:)?[\\/]+(?:users|home)[\\/]+(?:${nobody})(?![\w-])(?:[\\/][^\s"':]*)?`,
  ].join('|')})`,
  'gi',
);

function isWhole(text: string): boolean {
  return whole.some((pattern) => pattern.test(text));
}
