/** What can be wrong with mcp.json. Codes are shown beside messages, and mean the same in every version. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** An error keeps the program that reads the file from using it or a server; a warning says that something is lost. */
export const codes = {
  // The file
  syntax: 'error',
  wrongType: 'error',
  tooMuch: 'error',
  byteOrderMark: 'error',
  comment: 'error',
  trailingComma: 'error',
  noServers: 'information',
  serversAtRoot: 'warning',
  otherContainer: 'warning',
  duplicateServers: 'warning',
  // A server
  duplicateServer: 'warning',
  emptyName: 'error',
  notAnObject: 'error',
  noTarget: 'error',
  bothTargets: 'warning',
  // The keys of a server
  duplicateKey: 'warning',
  typeForTransport: 'warning',
  needlessType: 'information',
  disabledForEnabled: 'warning',
  foreignKey: 'warning',
  ignoredKey: 'information',
  misspelledKey: 'warning',
  wrongKind: 'warning',
  // Their values
  commandIsList: 'error',
  commandIsLine: 'warning',
  emptyCommand: 'error',
  badValue: 'error',
  unknownTransport: 'error',
  transportMisfit: 'error',
  impliedTransport: 'information',
  timeoutInSeconds: 'information',
  badUrl: 'error',
  insecureUrl: 'warning',
  badHeaderName: 'error',
  badHeaderValue: 'warning',
  badVariable: 'warning',
  placeholder: 'warning',
  notExpanded: 'warning',
  commandNotFound: 'hint',
} as const satisfies Readonly<Record<string, Severity>>;

export type ProblemCode = keyof typeof codes;
