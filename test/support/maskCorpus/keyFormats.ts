/**
 * The key formats of the rules of gitleaks and secretlint. The keys are made by
 * rule when the tests run.
 */
import {
  capitals,
  digits,
  hex,
  issue,
  type KeyShape,
  word,
} from './secrets.ts';

export interface KeyOfRule {
  readonly rule: string;
  readonly key: string;
  /** The key as it is written: alone, after a name, or in an address. */
  readonly text: string;
}

const small = `${digits}${capitals.toLowerCase()}`;
const upper = `${digits}${capitals}`;
const letters = `${capitals}${capitals.toLowerCase()}`;
const url64 = `${word}_-`;
const base64 = `${word}+/`;
const uuid: readonly (string | readonly [count: number, of: string])[] = [
  [8, hex],
  '-',
  [4, hex],
  '-',
  [4, hex],
  '-',
  [4, hex],
  '-',
  [12, hex],
];

/** Keys that have a form of their own, by the id of the rule. */
const alone: readonly (readonly [rule: string, shape: KeyShape])[] = [
  [
    '1password-secret-key',
    [
      'A3-',
      [6, upper],
      '-',
      [11, upper],
      '-',
      [5, upper],
      '-',
      [5, upper],
      '-',
      [5, upper],
    ],
  ],
  ['1password-service-account-token', ['ops_eyJ', [250, base64]]],
  ['adobe-client-secret', ['p8e-', [32, small]]],
  ['age-secret-key', ['AGE-SECRET-KEY-1', [58, upper]]],
  ['airtable-personnal-access-token', ['pat', [14, word], '.', [64, hex]]],
  ['alibaba-access-key-id', ['LTAI', [20, word]]],
  ['anthropic-admin-api-key', ['sk-ant-admin01-', [93, url64], 'AA']],
  ['anthropic-api-key', ['sk-ant-api03-', [93, url64], 'AA']],
  ['artifactory-api-key', ['AKCp', [69, word]]],
  ['artifactory-reference-token', ['cmVmd', [59, word]]],
  ['atlassian-api-token', ['ATATT3', [186, url64]]],
  [
    'authress-service-client-access-key',
    [
      'sc_',
      [10, small],
      '.',
      [5, small],
      '.acc_',
      [16, small],
      '.',
      [40, base64],
    ],
  ],
  ['aws-access-token', ['AKIA', [16, `234567${capitals}`]]],
  ['aws-access-token', ['A3TX', [16, `234567${capitals}`]]],
  ['aws-amazon-bedrock-api-key-long-lived', ['ABSK', [110, base64], '==']],
  [
    'aws-amazon-bedrock-api-key-short-lived',
    ['bedrock-api-key-', 'YmVkcm9jay5hbWF6b25hd3MuY29t', [40, base64]],
  ],
  ['azure-ad-client-secret', ['', [3, word], '8Q~', [34, url64]]],
  ['clickhouse-cloud-api-secret-key', ['4b1d', [38, word]]],
  ['clojars-api-token', ['CLOJARS_', [60, small]]],
  ['cloudflare-origin-ca-key', ['v1.0-', [24, hex], '-', [146, hex]]],
  ['databricks-api-token', ['dapi', [32, hex], '-2']],
  ['defined-networking-api-token', ['dnkey-', [26, url64], '-', [52, url64]]],
  ['digitalocean-access-token', ['doo_v1_', [64, hex]]],
  ['digitalocean-pat', ['dop_v1_', [64, hex]]],
  ['digitalocean-refresh-token', ['dor_v1_', [64, hex]]],
  ['doppler-api-token', ['dp.pt.', [43, small]]],
  [
    'dropbox-long-lived-api-token',
    ['', [11, small], 'AAAAAAAAAA', [43, url64]],
  ],
  ['dropbox-short-lived-api-token', ['sl.', [135, url64]]],
  ['duffel-api-token', ['duffel_test_', [43, url64]]],
  ['dynatrace-api-token', ['dt0c01.', [24, upper], '.', [64, upper]]],
  ['easypost-api-token', ['EZAK', [54, word]]],
  ['easypost-test-api-token', ['EZTK', [54, word]]],
  ['facebook-access-token', ['1234567890123456|', [27, word]]],
  ['facebook-page-access-token', ['EAAM', [100, word]]],
  ['flutterwave-encryption-key', ['FLWSECK_TEST-', [12, 'abcdefgh0123456789']]],
  [
    'flutterwave-public-key',
    ['FLWPUBK_TEST-', [32, 'abcdefgh0123456789'], '-X'],
  ],
  [
    'flutterwave-secret-key',
    ['FLWSECK_TEST-', [32, 'abcdefgh0123456789'], '-X'],
  ],
  ['flyio-access-token', ['fo1_', [43, url64]]],
  ['flyio-access-token', ['fm1a_', [100, base64], '==']],
  ['flyio-access-token', ['fm2_', [100, base64], '==']],
  ['frameio-api-token', ['fio-u-', [64, url64]]],
  ['gcp-api-key', ['AIza', [35, url64]]],
  ['github-app-token', ['ghs_', [36, word]]],
  ['github-fine-grained-pat', ['github_pat_', [82, `${word}_`]]],
  ['github-oauth', ['gho_', [36, word]]],
  ['github-pat', ['ghp_', [36, word]]],
  ['github-refresh-token', ['ghr_', [36, word]]],
  ['gitlab-cicd-job-token', ['glcbt-', [2, word], '_', [20, url64]]],
  ['gitlab-deploy-token', ['gldt-', [20, url64]]],
  ['gitlab-feature-flag-client-token', ['glffct-', [20, url64]]],
  ['gitlab-feed-token', ['glft-', [20, url64]]],
  ['gitlab-incoming-mail-token', ['glimt-', [25, url64]]],
  ['gitlab-kubernetes-agent-token', ['glagent-', [50, url64]]],
  ['gitlab-oauth-app-secret', ['gloas-', [64, url64]]],
  ['gitlab-pat', ['glpat-', [20, url64]]],
  ['gitlab-pat-routable', ['glpat-', [40, url64], '.', [9, small]]],
  ['gitlab-ptt', ['glptt-', [40, hex]]],
  ['gitlab-rrt', ['GR1348941', [20, url64]]],
  ['gitlab-runner-authentication-token', ['glrt-', [20, url64]]],
  [
    'gitlab-runner-authentication-token-routable',
    ['glrt-t1_', [40, url64], '.', [9, small]],
  ],
  ['gitlab-scim-token', ['glsoat-', [20, url64]]],
  ['gocardless-api-token', ['live_', [40, url64]]],
  ['grafana-api-key', ['eyJrIjoi', [70, word], '==']],
  ['grafana-cloud-api-token', ['glc_', [60, base64], '==']],
  ['grafana-service-account-token', ['glsa_', [32, word], '_', [8, hex]]],
  ['harness-api-key', ['pat.', [22, url64], '.', [24, word], '.', [20, word]]],
  ['harness-api-key', ['sat.', [22, url64], '.', [24, word], '.', [20, word]]],
  ['hashicorp-tf-api-token', ['', [14, word], '.atlasv1.', [64, url64]]],
  ['heroku-api-key-v2', ['HRKU-AA', [58, url64]]],
  ['huggingface-access-token', ['hf_', [34, letters]]],
  ['huggingface-organization-api-token', ['api_org_', [34, letters]]],
  ['infracost-api-token', ['ico-', [32, word]]],
  ['intra42-client-secret', ['s-s4t2ud-', [64, hex]]],
  ['jwt', ['eyJ', [30, word], '.eyJ', [40, url64], '.', [43, url64]]],
  ['jwt-base64', ['ZXlKaGJHY2lPaU', [80, word]]],
  ['linear-api-key', ['lin_api_', [40, word]]],
  ['lob-api-key', ['live_', [35, hex]]],
  ['lob-pub-api-key', ['test_pub_', [31, hex]]],
  ['mailchimp-api-key', ['', [32, hex], '-us20']],
  ['mailgun-private-api-token', ['key-', [32, hex]]],
  ['mailgun-pub-key', ['pubkey-', [32, hex]]],
  ['mailgun-signing-key', ['', [32, hex], '-', [8, hex], '-', [8, hex]]],
  ['mapbox-api-token', ['pk.', [60, small], '.', [22, small]]],
  ['maxmind-license-key', ['', [6, word], '_', [29, word], '_mmk']],
  ['new-relic-browser-api-token', ['NRJS-', [19, hex]]],
  ['new-relic-insert-key', ['NRII-', [32, small]]],
  ['new-relic-user-api-key', ['NRAK-', [27, upper]]],
  ['notion-api-token', ['ntn_', [11, digits], [35, word]]],
  ['npm-access-token', ['npm_', [36, word]]],
  ['octopus-deploy-api-key', ['API-', [26, upper]]],
  ['openai-api-key', ['sk-proj-', [74, url64], 'T3BlbkFJ', [74, url64]]],
  ['openai-api-key', ['sk-', [20, word], 'T3BlbkFJ', [20, word]]],
  ['openshift-user-token', ['sha256~', [43, url64]]],
  ['perplexity-api-key', ['pplx-', [48, word]]],
  ['plaid-api-token', ['access-sandbox-', ...uuid]],
  ['planetscale-api-token', ['pscale_tkn_', [43, url64]]],
  ['planetscale-oauth-token', ['pscale_oauth_', [43, url64]]],
  ['planetscale-password', ['pscale_pw_', [43, url64]]],
  ['postman-api-token', ['PMAK-', [24, hex], '-', [34, hex]]],
  ['prefect-api-token', ['pnu_', [36, word]]],
  ['pulumi-api-token', ['pul-', [40, hex]]],
  ['pypi-upload-token', ['pypi-AgEIcHlwaS5vcmc', [80, url64]]],
  ['readme-api-token', ['rdme_', [70, small]]],
  ['rubygems-api-token', ['rubygems_', [48, hex]]],
  ['scalingo-api-token', ['tk-us-', [48, url64]]],
  ['sendgrid-api-token', ['SG.', [22, word], '.', [43, url64]]],
  ['sendinblue-api-token', ['xkeysib-', [64, hex], '-', [16, word]]],
  ['sentry-org-token', ['sntrys_eyJpYXQiO', [60, word], '_', [43, base64]]],
  ['sentry-user-token', ['sntryu_', [64, hex]]],
  ['settlemint-application-access-token', ['sm_aat_', [16, word]]],
  ['settlemint-personal-access-token', ['sm_pat_', [16, word]]],
  ['settlemint-service-access-token', ['sm_sat_', [16, word]]],
  ['shippo-api-token', ['shippo_live_', [40, hex]]],
  ['shopify-access-token', ['shpat_', [32, hex]]],
  ['shopify-custom-access-token', ['shpca_', [32, hex]]],
  ['shopify-private-app-access-token', ['shppa_', [32, hex]]],
  ['shopify-shared-secret', ['shpss_', [32, hex]]],
  [
    'slack-app-token',
    ['xapp-1-A', [10, upper], '-', [13, digits], '-', [64, hex]],
  ],
  [
    'slack-bot-token',
    ['xoxb-', [12, digits], '-', [12, digits], '-', [24, word]],
  ],
  ['slack-config-access-token', ['xoxe.xoxb-1-', [163, upper]]],
  ['slack-config-refresh-token', ['xoxe-1-', [146, upper]]],
  ['slack-legacy-bot-token', ['xoxb-', [12, digits], '-', [24, word]]],
  [
    'slack-legacy-token',
    [
      'xoxs-',
      [10, digits],
      '-',
      [10, digits],
      '-',
      [10, digits],
      '-',
      [32, hex],
    ],
  ],
  ['slack-legacy-workspace-token', ['xoxa-2-', [40, word]]],
  [
    'slack-user-token',
    [
      'xoxp-',
      [12, digits],
      '-',
      [12, digits],
      '-',
      [12, digits],
      '-',
      [32, hex],
    ],
  ],
  ['sonar-api-token', ['squ_', [40, hex]]],
  ['sourcegraph-access-token', ['sgp_', [16, hex], '_', [40, hex]]],
  ['sourcegraph-access-token', ['sgp_local_', [40, hex]]],
  ['square-access-token', ['EAAA', [60, url64]]],
  ['square-access-token', ['sq0atp-', [22, url64]]],
  ['stripe-access-token', ['sk_live_', [24, word]]],
  ['stripe-access-token', ['rk_prod_', [24, word]]],
  ['telegram-bot-api-token', ['', [10, digits], ':A', [34, url64]]],
  ['twilio-api-key', ['SK', [32, hex]]],
  ['twitter-access-token', ['', [19, digits], '-', [40, word]]],
  ['twitter-bearer-token', ['AAAAAAAAAAAAAAAAAAAAAA', [86, word]]],
  ['typeform-api-token', ['tfp_', [59, url64]]],
  ['vault-batch-token', ['hvb.', [140, url64]]],
  ['vault-service-token', ['hvs.', [95, url64]]],
  ['vault-service-token', ['s.', [24, word]]],
  ['yandex-access-token', ['t1.', [60, url64], '.', [86, url64]]],
  ['yandex-api-key', ['AQVN', [36, url64]]],
  ['yandex-aws-access-token', ['YC', [38, url64]]],
  ['secretlint: cloudflare', ['cfut_', [40, word], [8, hex]]],
  ['secretlint: docker', ['dckr_pat_', [27, url64]]],
  ['secretlint: figma', ['figd_', [40, url64]]],
  ['secretlint: groq', ['gsk_', [52, word]]],
  ['secretlint: hashicorp-vault', ['hvr.', [95, url64]]],
  ['secretlint: secp256k1-privatekey', ['', [64, hex]]],
  ['secretlint: tailscale', ['tskey-api-', [14, word], '-', [32, word]]],
  ['secretlint: vercel', ['vcp_', [40, word]]],
];

/** Keys that only their names tell from other words. */
const named: readonly (readonly [rules: string, shape: KeyShape])[] = [
  [
    'adafruit-api-key algolia-api-key asana-client-secret bittrex-access-key bittrex-secret-key codecov-access-token',
    ['', [32, small]],
  ],
  [
    'discord-client-secret droneci-access-token facebook-secret fastly-api-token finicity-api-token',
    ['', [32, small]],
  ],
  [
    'flickr-access-token linear-client-secret nytimes-access-token privateai-api-token',
    ['', [32, small]],
  ],
  [
    'airtable-api-key dropbox-api-token confluent-access-token linkedin-client-secret',
    ['', [16, small]],
  ],
  [
    'finicity-client-secret finnhub-access-token etsy-access-token travisci-access-token',
    ['', [22, small]],
  ],
  [
    'looker-client-secret kucoin-access-token messagebird-api-token mattermost-access-token',
    ['', [25, small]],
  ],
  ['alibaba-secret-key plaid-secret-key twitch-api-token', ['', [30, small]]],
  ['beamer-api-token', ['b_', [44, small]]],
  [
    'cisco-meraki-api-key datadog-access-token sendbird-access-token zendesk-secret-key cohere-api-token',
    ['', [40, hex]],
  ],
  [
    'cloudflare-api-key cloudflare-global-api-key launchdarkly-access-token netlify-access-token',
    ['', [40, url64]],
  ],
  [
    'gitter-access-token okta-access-token contentful-delivery-api-token rapidapi-access-token',
    ['00', [42, url64]],
  ],
  [
    'bitbucket-client-secret coinbase-access-token confluent-secret-key discord-api-token',
    ['', [64, small]],
  ],
  [
    'freshbooks-access-token jfrog-identity-token sentry-access-token sumologic-access-token',
    ['', [64, hex]],
  ],
  ['intercom-api-key jfrog-api-key kraken-access-token', ['', [80, small]]],
  [
    'heroku-api-key hubspot-api-key kucoin-secret-key snyk-api-token squarespace-access-token',
    ['', ...uuid],
  ],
  [
    'twitter-access-secret twitter-api-key twitter-api-secret',
    ['', [45, small]],
  ],
  ['freemius-secret-key', ['sk_', [29, word]]],
  [
    'hashicorp-tf-password nuget-config-password generic-api-key',
    ['', [14, small]],
  ],
  ['sidekiq-secret', ['', [8, hex], ':', [8, hex]]],
  ['azure-client-secret', ['', [34, url64]]],
];

/** Keys within commands, addresses and files. */
const within: readonly (readonly [
  rule: string,
  shape: KeyShape,
  write: (key: string) => string,
])[] = [
  [
    'curl-auth-header',
    ['', [24, small]],
    (key) => `curl -H "Authorization: Bearer ${key}" https://shop.example`,
  ],
  [
    'curl-auth-user',
    ['', [12, small]],
    (key) => `curl -u me:${key} https://shop.example`,
  ],
  [
    'gitlab-session-cookie',
    ['', [32, small]],
    (key) => `Cookie: _gitlab_session=${key}`,
  ],
  [
    'kubernetes-secret-yaml',
    ['', [24, word]],
    (key) => `kind: Secret\ndata:\n  password: ${key}`,
  ],
  [
    'microsoft-teams-webhook',
    ['', [32, small]],
    (key) =>
      `https://a.webhook.office.com/webhookb2/x/IncomingWebhook/${key}/x`,
  ],
  [
    'private-key',
    ['', [64, base64]],
    (key) => `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----`,
  ],
  [
    'sidekiq-sensitive-url',
    ['', [8, hex], ':', [8, hex]],
    (key) => `https://${key}@gems.contribsys.com/`,
  ],
  [
    'slack-webhook-url',
    ['', [24, word]],
    (key) => `https://hooks.slack.com/services/T00000000/B00000000/${key}`,
  ],
  [
    'secretlint: basicauth',
    ['', [12, small]],
    (key) => `https://me:${key}@shop.example/`,
  ],
  [
    'secretlint: database-connection-string',
    ['', [12, small]],
    (key) => `mongodb+srv://me:${key}@shop.example/db`,
  ],
  [
    'secretlint: npm',
    ['', [24, small]],
    (key) => `//registry.example/:_authToken=${key}`,
  ],
  [
    'secretlint: npm',
    ['', [40, hex]],
    (key) => `https://${key}:x-oauth-basic@github.com/`,
  ],
];

/**
 * Rules for what is no secret on its own: identifiers of clients and accounts,
 * and whole files.
 */
export const rulesLeftOut: readonly string[] = [
  'adobe-client-id',
  'asana-client-id',
  'bitbucket-client-id',
  'discord-client-id',
  'linkedin-client-id',
  'looker-client-id',
  'messagebird-client-id',
  'new-relic-user-api-id',
  'pkcs12-file',
  'plaid-client-id',
  'sendbird-access-id',
  'sumologic-access-id',
  'secretlint: filter-comments',
  'secretlint: no-dotenv',
  'secretlint: no-homedir',
  'secretlint: pattern',
];

/** True if the longest part of the key is shown. */
export function isKeyShown({ key }: KeyOfRule, shown: string): boolean {
  const [longest = key] = key
    .split(/[^A-Za-z\d]+/)
    .sort((a, b) => b.length - a.length);
  return shown.includes(longest);
}

/** Some keys of each format. */
export function keysOfRules(count = 3): KeyOfRule[] {
  const written = [
    ...alone.map(([rule, shape]) => ({
      rule,
      shape,
      write: (key: string) => `Use ${key} now`,
    })),
    ...named.flatMap(([rules, shape]) =>
      rules.split(/ (?=[a-z\d-]+-)/).map((rule) => {
        const name = rule
          .replace(/^secretlint: /, '')
          .replace(/-id$/, '')
          .replaceAll('-', '_');
        return { rule, shape, write: (key: string) => `${name} = "${key}"` };
      }),
    ),
    ...within.map(([rule, shape, write]) => ({ rule, shape, write })),
  ];
  return written.flatMap(({ rule, shape, write }, index) =>
    Array.from({ length: count }, (_, turn) => {
      const key = issue(shape, index + turn * 1_000).text;
      return { rule, key, text: write(key) };
    }),
  );
}
