/** Which files are there to keep secrets, as their names tell. Nothing of them goes into a message. */

const names = [
  String.raw`\.env(?:rc)?(?:[.-].*)?`,
  String.raw`.*\.(?:env|pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfvars|tfstate)(?:\.(?:backup|bak|old))?`,
  String.raw`id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?`,
  String.raw`[._](?:netrc|npmrc|yarnrc|pypirc|pgpass|my\.cnf|htpasswd|git-credentials|dockercfg)`,
  String.raw`(?:.*[._-])?(?:secrets?|credentials?|kubeconfig|service[-_]?account)(?:(?:[._-][\w-]+)?\.(?:json|ya?ml|toml|ini|xml|properties|txt))?`,
];

const secretFile = new RegExp(
  String.raw`(?:^|[/\\])(?:\.(?:ssh|gnupg|aws|kube)[/\\].*|(?:${names.join('|')})$)`,
  'i',
);

/** Source code is named after what it does: `credentials.ts` has none. */
export function isSecretFile(path: string): boolean {
  return secretFile.test(path);
}
