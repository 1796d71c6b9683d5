import assert from 'node:assert/strict';
import { maskTokens } from '../../../../src/base/masks/maskTokens.ts';
import { mask } from '../../../../src/base/secret.ts';

const masked = (text: string) => maskTokens(text, mask);

describe('the masking of issued tokens', () => {
  const prefixes = [
    ...[
      'sk-',
      'sk-ant-',
      'gsk_',
      'tvly-',
      'ctx7sk-',
      'nvapi-',
      'pcsk_',
      'lsv2_',
      'apify_api_',
      'AIza',
      'ya29.',
    ],
    ...[
      'ghp_',
      'gho_',
      'ghu_',
      'ghs_',
      'ghr_',
      'github_pat_',
      'dckr_pat_',
      'dckr_oat_',
    ],
    ...[
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'glsoat-',
      'gloas-',
    ],
    ...[
      'glffct-',
      'ATATT3',
      'ATCTT3',
      'ATBB',
      'CCIPAT_',
      'CCIPRJ_',
      'pypi-AgE',
      'sntrys_',
      'sntryu_',
      'glsa_',
    ],
    ...[
      'NRAK-',
      'PMAK-',
      'xoxb-',
      'xoxp-',
      'xoxe.',
      'xapp-',
      'lin_api_',
      'lin_oauth_',
      'ntn_',
      'figd_',
      'figu_',
    ],
    ...[
      'CFPAT-',
      'xkeysib-',
      'whsec_',
      'dop_v1_',
      'doo_v1_',
      'dor_v1_',
      'sbp_',
      'sb_secret_',
      'nfp_',
    ],
    ...[
      'pscale_tkn_',
      'pscale_pw_',
      'pscale_oauth_',
      'tskey-',
      'cfk_',
      'cfut_',
      'cfat_',
      'rzp_live_',
      'rzp_test_',
    ],
    ...[
      'sk_live_',
      'sk_test_',
      'sk_prod_',
      'pk_live_',
      'rk_live_',
      'shpat_',
      'shpss_',
      'shpca_',
      'shppa_',
      'sq0atp-',
    ],
    ...[
      'GOCSPX-',
      'dp.pt.',
      'dp.st.',
      'dp.ct.',
      'dp.sa.',
      'dp.scim.',
      'dp.audit.',
      'hvs.',
      'hvb.',
      'hvr.',
    ],
    ...[
      'AGE-SECRET-KEY-',
      'eyJ',
      'hf_',
      'npm_',
      'pplx-',
      'xai-',
      'r8_',
      'phx_',
      'phc_',
      'bkua_',
      'LTAI',
      'SG.',
    ],
    ...['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
  ];
  for (const prefix of prefixes) {
    it(`masks a token that begins with ${prefix}`, () => {
      assert.equal(masked(`${prefix}canarycanary`), mask);
      assert.equal(
        masked(`a ${prefix}canarycanary b ${prefix}canarycanary`),
        `a ${mask} b ${mask}`,
      );
      assert.equal(masked(`x${prefix}canarycanary`), `x${prefix}canarycanary`);
    });
  }

  it('masks all parts of a token, including the last one', () => {
    assert.equal(masked('ATATT3canary-canary=1234abcd'), mask);
    assert.equal(masked('SG.canarycanary.canary'), mask);
    assert.equal(masked('eyJcanary.eyJcanary.can_ary'), mask);
  });

  it('masks an AWS access key ID only if it is complete and in capitals', () => {
    for (const prefix of ['AKIA', 'ASIA', 'ABIA', 'ACCA']) {
      assert.equal(masked(`${prefix}CANARYCANARY`), mask);
      assert.equal(masked(`${prefix}CANARYCANAR`), `${prefix}CANARYCANAR`);
      assert.equal(masked(`${prefix}canarycanary`), `${prefix}canarycanary`);
    }
  });

  it('masks a Telegram bot token only at its full length', () => {
    assert.equal(masked(`123456789:AA${'canary'.repeat(5)}xxx`), mask);
    assert.equal(
      masked(`123456789:AA${'canary'.repeat(5)}xx`),
      `123456789:AA${'canary'.repeat(5)}xx`,
    );
  });

  it('keeps words that only begin like a token', () => {
    for (const word of [
      ...[
        'sk-learn-tools',
        'hf_transfer',
        'hf_transformers',
        'hf_tokenizers',
        'npm_config_yes',
        'pplx-7b-online',
      ],
      ...[
        'ghp_short',
        'sk-short',
        'npm_shortword',
        'Asia',
        'SG.Client',
        'xai-sdk-python',
        'global-settings',
      ],
    ]) {
      assert.equal(masked(word), word);
    }
  });
});

describe('the masking of random-looking words', () => {
  for (const word of [
    'Zm9vYmFy0TEx9QdX7bN2aa',
    'd41d8cd98f00b204e9800998ecf8427e',
    '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
    '123e4567-e89b-12d3-a456-426614174000',
    '123E4567-E89B-12D3-A456-426614174000',
    '12345678901234567890',
    'JBSWY3DPEHPK3PXPJBSW',
    'a1B2c3D4e5F6g7H8',
    'Abc1def2ghi3jklmno',
    'Zm9vYmFyYmF6MTIzNDU2==',
    'abC1/efG2+hiJ3/klM4+noP5/qrS6+tuV7/wxY80',
    'abC1/efG2+hiJ3/klM4+noP5/qrS6+tuV7/wxY8012==',
  ]) {
    it(`masks ${word}`, () => {
      assert.equal(masked(word), mask);
      assert.equal(masked(`a ${word}, b`), `a ${mask}, b`);
    });
  }

  for (const word of [
    'ModelContextProtocolServer2.Program',
    'my-mcp-server-v2-for-node20-linux-x64',
    'claude-3-5-sonnet-20241022',
    'an_identifier_without_any_digit_in_it',
    'aBcDeFgHiJkLmNoPqRsTuV',
    'abcdef1ghijkl2mnopqrstuv',
    'Abc1def2ghIjklmn',
    'a1B2c3D4e5F6g7H',
    'a1b2c3d4e5f6g7h8',
    'A1B2C3D4E5F6G7H8',
    '1234567890123456789',
    'src/main/java/com/example/v1/server/Main2',
  ]) {
    it(`keeps ${word}`, () => {
      assert.equal(masked(word), word);
    });
  }

  it('keeps a commit or digest only after a marker such as @, /commit/ or sha256:', () => {
    const commit = '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12';
    const digest =
      'd2a84f4b8b650937ec8f73cd8be2c74add5a911ba64df27458ed8229da804a26';
    const hash = 'Abc1Def2Ghi3Jkl4Mno5Pqr6';
    for (const text of [
      ...[
        `x@${commit}`,
        `x#${commit}`,
        `a/commit/${commit}`,
        `a/tree/${commit}`,
        `a/blob/${commit}`,
      ],
      ...[`x@sha256:${digest}`, `sha1:${commit}`, `x@${digest}`],
      ...[`sha1-${hash}`, `sha256-${hash}`, `sha384-${hash}`, `sha512-${hash}`],
    ]) {
      assert.equal(masked(text), text);
    }
    for (const text of [
      ...[
        `x=${commit}`,
        `x@${commit}0`,
        `x@${commit.toUpperCase()}`,
        `commit ${commit}`,
        `x@y=${commit}`,
      ],
      ...[
        `/commit/a/${commit}`,
        `xsha256-${hash}`,
        `x@0${digest}`,
        `x@a-${commit}`,
        `x@${commit}-a`,
      ],
    ]) {
      assert.ok(masked(text).endsWith(mask), text);
    }
  });
});
