/** What can be wrong with mcp.json. Codes are shown beside messages, and mean the same in every version. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** An error: the program that reads the file refuses all of it. A warning: something is lost, or will not work. */
export const codes = {
  // The file
  syntax: 'error',
  wrongType: 'error',
  tooDeep: 'error',
  tooBig: 'warning',
  blankFile: 'error',
  byteOrderMark: 'error',
  comment: 'error',
  trailingComma: 'error',
  loneSurrogate: 'error',
  noServers: 'information',
  serversAtRoot: 'warning',
  otherContainer: 'warning',
  duplicateServers: 'warning',
  // A server
  duplicateServer: 'warning',
  emptyName: 'warning',
  notAnObject: 'error',
  noTarget: 'error',
  foreignTarget: 'error',
  misspelledTarget: 'error',
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
  badValue: 'error',
  badType: 'error',
  commandIsList: 'error',
  unknownTransport: 'error',
  transportMisfit: 'error',
  commandIsLine: 'warning',
  emptyCommand: 'warning',
  enabledIsNoBoolean: 'warning',
  variableIsNoString: 'warning',
  ignoredTools: 'warning',
  badTool: 'warning',
  impliedTransport: 'information',
  timeoutInSeconds: 'warning',
  badUrl: 'warning',
  insecureUrl: 'warning',
  badHeaderName: 'warning',
  badHeaderValue: 'warning',
  badVariable: 'warning',
  placeholder: 'warning',
  notExpanded: 'warning',
  variableNotSet: 'hint',
  commandNotFound: 'hint',
} as const satisfies Readonly<Record<string, Severity>>;

export type ProblemCode = keyof typeof codes;

/** Those for which the program refuses the file. */
export type RefusedCode = {
  [Code in ProblemCode]: (typeof codes)[Code] extends 'error' ? Code : never;
}[ProblemCode];

/** Those that the program does not mind. */
export type TakenCode = Exclude<ProblemCode, RefusedCode>;
