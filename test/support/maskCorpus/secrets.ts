/**
 * Secrets as services issue them and as people make them up. Nobody uses them:
 * they are made by rule.
 */

export interface MadeSecret {
  readonly text: string;
  /** True if it differs from other words without a name before it. */
  readonly isIssued: boolean;
}

export const digits = '0123456789';
export const hex = `${digits}abcdef`;
export const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const word = `${digits}${capitals}${capitals.toLowerCase()}`;

/**
 * A generator of whole numbers below a limit, always the same ones for a seed.
 */
function numbers(seed: number): (limit: number) => number {
  let state = seed * 7919 + 1;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/**
 * The prefix of a key, and the kinds and numbers of the characters after it,
 * with a sign between kinds.
 */
export type KeyShape = readonly [
  prefix: string,
  ...rest: readonly (string | readonly [count: number, of: string])[],
];

const shapes: readonly KeyShape[] = [
  // Models and their tools
  ...(['sk-', 'sk-proj-', 'sk-svcacct-'] as const).map((prefix): KeyShape => [
    prefix,
    [48, word],
  ]),
  ['sk-ant-api03-', [93, `${word}_-`], 'AA'],
  ['sk-or-v1-', [64, hex]],
  [
    'sk-lf-',
    [8, hex],
    '-',
    [4, hex],
    '-',
    [4, hex],
    '-',
    [4, hex],
    '-',
    [12, hex],
  ],
  ['gsk_', [52, word]],
  ['xai-', [80, word]],
  ['hf_', [34, word]],
  ['r8_', [37, word]],
  ['pplx-', [48, word]],
  ['tvly-dev-', [32, word]],
  ['ctx7sk-', [36, hex]],
  ['nvapi-', [64, `${word}_-`]],
  ['pcsk_', [60, word]],
  ['lsv2_pt_', [32, hex], '_', [10, hex]],
  ['apify_api_', [36, word]],
  ['fc-', [32, hex]],
  ['AIza', [35, `${word}_-`]],
  ['ya29.', [60, `${word}_-`]],
  // Code and packages
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix): KeyShape => [
    prefix,
    [36, word],
  ]),
  ['github_pat_', [22, word], '_', [59, word]],
  ...['glpat-', 'gldt-', 'glrt-'].map((prefix): KeyShape => [
    prefix,
    [20, `${word}_-`],
  ]),
  ['npm_', [36, word]],
  ['pypi-AgEIcHlwaS5vcmc', [80, `${word}_-`]],
  ['dckr_pat_', [27, `${word}_-`]],
  ['ATATT3xFf', [180, `${word}_-`], '=', [8, hex]],
  ['sntrys_', [80, word]],
  ['sntryu_', [64, hex]],
  ['glsa_', [32, word], '_', [8, hex]],
  ['CCIPAT_', [22, word], '_', [40, hex]],
  ['NRAK-', [27, `${digits}${capitals}`]],
  ['PMAK-', [24, hex], '-', [34, hex]],
  // Work and chat
  ['xoxb-', [12, digits], '-', [13, digits], '-', [24, word]],
  ['xoxp-', [12, digits], '-', [12, digits], '-', [12, digits], '-', [32, hex]],
  ['xapp-1-A', [10, `${digits}${capitals}`], '-', [13, digits], '-', [64, hex]],
  ['lin_api_', [40, word]],
  ['ntn_', [46, word]],
  ['secret_', [43, word]],
  ['figd_', [40, `${word}_-`]],
  ['CFPAT-', [43, `${word}_-`]],
  ['xkeysib-', [64, hex], '-', [16, word]],
  ['whsec_', [32, word]],
  ['', [9, digits], ':AA', [33, `${word}_-`]],
  ['SG.', [22, `${word}_-`], '.', [43, `${word}_-`]],
  // Clouds, shops and secrets
  ['AKIA', [16, `234567${capitals}`]],
  ['ASIA', [16, `234567${capitals}`]],
  ['', [40, `${word}+/`]],
  ['dop_v1_', [64, hex]],
  ['sbp_', [40, hex]],
  ['nfp_', [36, word]],
  ['pscale_tkn_', [43, `${word}_-`]],
  ['tskey-auth-', [14, word], '-', [32, word]],
  ['cfut_', [48, word]],
  ['dapi', [32, hex]],
  ...['sk_live_', 'sk_test_', 'rk_live_', 'pk_live_'].map(
    (prefix): KeyShape => [prefix, [24, word]],
  ),
  ['rzp_live_', [14, word]],
  ...['shpat_', 'shpss_'].map((prefix): KeyShape => [prefix, [32, hex]]),
  ['sq0atp-', [22, `${word}_-`]],
  ['GOCSPX-', [28, `${word}_-`]],
  ['dp.pt.', [43, word]],
  ['hvs.', [90, `${word}_-`]],
  ['AGE-SECRET-KEY-1', [58, `${digits}${capitals}`]],
  ['eyJhbGciOiJIUzI1NiJ9.eyJ', [40, `${word}_-`], '.', [43, `${word}_-`]],
  // Without a beginning of their own
  ['', [32, hex]],
  ['', [64, hex]],
  ['', [40, word]],
  ['', [64, `${word}_-`]],
  ['', [8, hex], '-', [4, hex], '-', [4, hex], '-', [4, hex], '-', [12, hex]],
];

export function issue([prefix, ...rest]: KeyShape, seed: number): MadeSecret {
  const below = numbers(seed);
  const parts = rest.map((part) =>
    typeof part === 'string'
      ? part
      : Array.from({ length: part[0] }, () =>
          part[1].charAt(below(part[1].length)),
        ).join(''),
  );
  return { text: prefix + parts.join(''), isIssued: true };
}

const madeUp: readonly string[] = [
  'canary',
  'hunter2x',
  'correct-horse-staple',
  'Tr0ub4dor&3',
  'p@ssw0rt/yes#1',
  "it's-my-canary",
  'three little words',
  'say"quoted"aloud',
  'ca$hcanary',
  'canary=two=signs',
  '(canary)',
  'canary\\slash',
];

export const secrets: readonly MadeSecret[] = [
  ...shapes.map(issue),
  ...madeUp.map((text) => ({ text, isIssued: false })),
];
