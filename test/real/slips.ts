/**
 * Slips of the pen in JSON, of people and of programs, at a random place where
 * they are possible.
 */
import type { Tape } from '../support/configTexts.ts';

interface Slip {
  /** The places for it; missing if it concerns the whole text. */
  readonly at?: RegExp;
  readonly make: (found: string, tape: Tape) => string;
}

/** Matches strings too, so that a slip beside them is not one in them. */
const outside = (pattern: string) =>
  new RegExp(`"(?:[^"\\\\]|\\\\.)*"|(${pattern})`, 'g');
const strings = /"(?:[^"\\]|\\.)*"/g;

const slips: readonly [Slip, ...Slip[]] = [
  // Spellings that JSON for people allows.
  {
    at: outside('[,{[]'),
    make: (found, tape) =>
      `${found} ${tape.pick(['// note\n', '/* note */', '# note\n', '//\n'])}`,
  },
  { at: outside('[}\\]]'), make: (found) => `,${found}` },
  { at: strings, make: (found) => `'${found.slice(1, -1)}'` },
  { at: strings, make: (found) => found.slice(1, -1) },
  { make: (found) => `\uFEFF${found}` },
  // Lost and superfluous characters.
  { at: outside(','), make: (_, tape) => tape.pick(['', ',,', ';']) },
  { at: outside(':'), make: (_, tape) => tape.pick(['', '=', '::']) },
  {
    at: outside('[{}[\\]]'),
    make: (_, tape) => tape.pick(['', '{', ']', '(']),
  },
  {
    make: (found, tape) =>
      found.slice(0, Math.floor((found.length * tape.below(100)) / 100)),
  },
  {
    make: (found, tape) =>
      found +
      tape.pick([
        'x',
        '{}',
        '\n}',
        ',',
        '\0',
        '// end',
        '\u00a0',
        '\f',
        '\n\n',
      ]),
  },
  { make: (found) => `// mcp.json\n${found}` },
  { make: (found) => `\`\`\`json\n${found}\n\`\`\`` },
  // White space of all kinds.
  { make: (found) => found.replaceAll('\n', '\r\n') },
  { make: (found) => found.replaceAll('\n', '\r') },
  { make: (found) => found.replaceAll('\n', '\n\t') },
  {
    at: outside('\\s'),
    make: (_, tape) =>
      tape.pick([
        '\u00a0',
        '\u2028',
        '\f',
        '\v',
        '\u3000',
        '\0',
        '\uFEFF',
        '\u200b',
      ]),
  },
  // Strings.
  {
    at: strings,
    make: (found, tape) =>
      found.replace(
        /"$/,
        `${tape.pick(['\n', '\t', '\0', '\u007f', '\u2028'])}"`,
      ),
  },
  {
    at: strings,
    make: (found, tape) =>
      found.replace(
        /"$/,
        `${tape.pick(['\\x41', "\\'", '\\', '\\u12', '\\/', '\\a'])}"`,
      ),
  },
  {
    at: strings,
    make: (found, tape) =>
      found.replace(
        /"$/,
        `${tape.pick(['\\ud800', '\\udc00', '\\ud83d\\ude00', '\\udc00\\ud800'])}"`,
      ),
  },
  // Numbers and words.
  {
    at: outside('\\bnull|\\btrue|\\bfalse|-?\\d[\\d.eE+-]*'),
    make: (_, tape) =>
      tape.pick([
        'NaN',
        'Infinity',
        '-Infinity',
        'None',
        'True',
        'undefined',
        '.5',
        '5.',
        '01',
        '+1',
        '0x10',
        '1_000',
        '-',
        '1e',
        '--1',
        'nul',
        '1e999',
        '-01',
      ]),
  },
  // Depth.
  {
    at: outside('\\bnull|\\btrue|\\bfalse|-?\\d[\\d.eE+-]*|\\{\\}|\\[\\]'),
    make: (_, tape) =>
      nested(tape.pick([50, 150, 190, 199, 200, 201, 250, 600])),
  },
];

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

/** The text with one slip, or as it is where the slip is not possible. */
export function slipIn(text: string, tape: Tape): string {
  const { at, make } = tape.pick(slips);
  if (!at) return make(text, tape);
  const places = [...text.matchAll(at)].filter(
    (match) => match.length === 1 || match[1] !== undefined,
  );
  const place = places[tape.below(Math.max(1, places.length))];
  if (!place) return text;
  return (
    text.slice(0, place.index) +
    make(place[0], tape) +
    text.slice(place.index + place[0].length)
  );
}
