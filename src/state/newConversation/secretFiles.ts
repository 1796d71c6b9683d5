/**
 * Recognizes files that hold secrets by their names. Their contents are never
 * sent.
 */

/**
 * Extensions of data files. Source code such as `credentials.ts` holds no
 * secret values.
 */
const data = String.raw`\.(?:json|ya?ml|toml|ini|xml|properties|txt|csv|conf|cfg|env)`;
const encrypted = String.raw`\.(?:enc|gpg|age)`;

const folders = [
  // Folders in which every file counts
  String.raw`\.(?:ssh|gnupg|aws|kube|azure|envs|secrets?)[/\\].*`,
  // Folders that also hold source code
  String.raw`(?:secrets?|credentials?)[/\\](?:.*[/\\])?[\w-]+(?:(?:\.[\w-]+)*${data})?(?:${encrypted})?`,
  String.raw`\.docker[/\\]config\.json|\.openhands[/\\]settings\.json`,
];

const names = [
  String.raw`\.env(?:rc)?(?:[._-].*)?`,
  String.raw`\.(?:flaskenv|dev\.vars(?:\..*)?)`,
  String.raw`.*\.(?:env|pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfvars|tfstate)`,
  String.raw`(?:.*[._-])?(?:private|secret)(?:[._-]?key)?\.asc`,
  String.raw`id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?`,
  String.raw`[._](?:netrc|npmrc|yarnrc|pypirc|pgpass|htpasswd|git-credentials|gitconfig|dockercfg)|[._]?my\.cnf`,
  String.raw`(?:.*[._-])?(?:token|vault|passw(?:or)?d)s?\.(?:txt|ya?ml)`,
  String.raw`\.(?:s3cfg|boto|terraformrc|vault[-_](?:token|pass(?:word)?))|terraform\.rc`,
  String.raw`(?:.*[._-])?(?:secrets?|credentials?|kubeconfig|service[-_]?account)(?:(?:[._-][\w.-]+)?${data})?`,
  String.raw`(?:.*[._-])?(?:deploy|api|private|access|signing|gcp|service[-_]?account)[-_]?keys?(?:${data})?`,
  String.raw`auth\.json|.*firebase-adminsdk.*\.json|wp-config\.php`,
  // MCP servers with keys in variables and headers
  String.raw`(?:.*[._-])?mcp(?:[._-](?:config|settings|servers))?\.jsonc?|claude_desktop_config\.json`,
];

const secretFile = new RegExp(
  String.raw`(?:^|[/\\])(?:${folders.join('|')}|(?:${names.join('|')})(?:\.(?:backup|bak|old|orig)|~|${encrypted})?)$`,
  'i',
);

export function isSecretFile(path: string): boolean {
  return secretFile.test(path);
}
