/** Random words: keys that services issue, and long words that look random. */

/**
 * Beginnings of keys that services issue; names of other things never begin so.
 */
const prefixes = [
  // Models and their tools
  'sk-(?!learn)|gsk_|tvly-|ctx7sk-|nvapi-|pcsk_|lsv2_|apify_api_|AIza|ya29\\.',
  // Code and packages
  'gh[opsur]_|github_pat_|gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|soat|oas|ffct)-|dckr_[op]at_',
  'ATATT3|ATCTT3|ATBB|CCIPAT_|CCIPRJ_|pypi-AgE|sntry[su]_|glsa_|NRAK-|PMAK-',
  // Work and chat
  'xox[a-z][.-]|xapp-|lin_(?:api|oauth)_|ntn_|figd_|figu_|CFPAT-|xkeysib-|whsec_',
  // Clouds, shops and secrets
  'do[opr]_v1_|sbp_|sb_secret_|nfp_|pscale_(?:tkn|pw|oauth)_|tskey-|cf(?:k|ut|at)_',
  '[spr]k_(?:live|test|prod)_|rzp_(?:live|test)_|shp(?:at|ss|ca|pa)_|sq0[a-z]{3}-|GOCSPX-',
  'ops_|p8e-|AKCp|ABSK|bedrock-api-key-|CLOJARS_|dnkey-|duffel_(?:test|live)_|dt0[a-z]\\d\\d\\.|EZ[AT]K',
  'FLW(?:SEC|PUB)K(?:_TEST)?-|fo1_|fm1[ar]_|fm2_|fio-u-|GR1348941|glc_|HRKU-|NR(?:JS|II)-|pnu_|rdme_',
  'rubygems_|sgp_|sm_[aps]at_|shippo_(?:live|test)_|sq[apu]_|tfp_|A3-[A-Z\\d]{6}-|[A-Za-z\\d]{14}\\.atlasv1\\.',
  'pat[A-Za-z\\d]{14}\\.|[ps]at\\.[\\w-]{22}\\.|pk\\.[a-z\\d]{60}\\.|sha256~|tk-us-|API-(?=[A-Z\\d]{26})',
  '(?:live|test)_(?:pub_)?(?=[a-f\\d]{31})|(?:pub)?key-(?=[a-f\\d]{32})',
  'hooks\\.slack\\.com/[a-z]{1,20}/|webhook\\.office\\.com/webhookb2/',
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.|hv[sbr]\\.|AGE-SECRET-KEY-|eyJ',
].join('|');

/**
 * Prefixes of keys and of other names (`npm_config_yes`, `pplx-7b-online`). A
 * key continues without a break.
 */
const vaguePrefixes =
  'hf_(?!transformers|tokenizers)|api_org_|ico-|pul-|npm_|pplx-|xai-|r8_|ph[cx]_|bkua_|vc[aikpr]_|LTAI|SG\\.';

/** A key can follow what an escaped sign ends with: `%3D`, `\n`, `\u003d`. */
const issued = new RegExp(
  String.raw`(?:(?<![A-Za-z\d])|(?<=%[\dA-Fa-f]{2}|\\[nrt]|\\u[\dA-Fa-f]{4}))` +
    String.raw`(?:(?:${prefixes})[\w.~+/=-]{6,}|(?:${vaguePrefixes})[A-Za-z\d]{10,}[\w.-]*` +
    String.raw`|A(?:KI|SI|BI|CC)A[A-Z\d]{12,}|A3T[A-Z\d]{17}|\d{8,10}:[\w-]{35}(?![\w-]))`,
  'g',
);

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Base64, in which a slash is part of the word. */
const base64 =
  /(?<![\w+/-])(?:[A-Za-z\d+/]{40}(?![\w+/=-])|[A-Za-z\d+/]{42,}={1,2})/g;

export function maskTokens(text: string, cover: string): string {
  const maskRandom = (word: string, at: number, all: string) =>
    looksRandom(word) && !isDigest(word, all.slice(Math.max(0, at - 8), at))
      ? cover
      : word;
  return text
    .replace(issued, cover)
    .replace(uuid, cover)
    .replace(base64, maskRandom)
    .replace(/[\w+-]{16,}=*/g, maskRandom);
}

/**
 * True if letters and digits, small letters and capitals alternate more often
 * than in names.
 */
function looksRandom(word: string): boolean {
  if (!/\d/.test(word)) return false;
  const turns = [
    ...word.matchAll(/\d(?=[A-Za-z])|[A-Za-z](?=\d)|[a-z](?=[A-Z])/g),
  ];
  if (word.length >= 20)
    return turns.length >= word.length / 5 || !/[A-Za-z]/.test(word);
  return (
    turns.length >= word.length / 3 && /[a-z]/.test(word) && /[A-Z]/.test(word)
  );
}

/**
 * True for the digest of an image, a commit or a file, as in `server@sha256:…`
 * and `server.git@…`.
 */
function isDigest(word: string, before: string): boolean {
  if (/^sha(?:1|256|384|512)-/.test(word)) return true;
  return (
    /^(?:[\da-f]{40}|[\da-f]{64})$/.test(word) &&
    /(?:[@#]|sha\d+:|\/(?:commit|tree|blob)\/)$/.test(before)
  );
}
