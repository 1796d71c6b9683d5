/** What can be wrong with mcp.json. Codes are shown beside messages, and name the same thing in every version. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** An error keeps the program that reads the file from using it or a server; a warning says that something is lost. */
export const codes = {
  // The file
  syntax: ['error', 'The text is not JSON.'],
  wrongType: ['error', 'The configuration or its "mcpServers" is not an object.'],
  tooMuch: ['error', 'The file is too big or too deep to be looked at.'],
  byteOrderMark: ['error', 'The file begins with a byte order mark.'],
  comment: ['error', 'The file has a comment, which strict JSON does not have.'],
  trailingComma: ['error', 'There is a comma behind the last value, which strict JSON does not have.'],
  noServers: ['information', 'The file has no "mcpServers".'],
  serversAtRoot: ['warning', 'The servers stand at the root of the file.'],
  otherContainer: ['warning', 'The servers stand where another program has them.'],
  duplicateServers: ['warning', '"mcpServers" is there more than once.'],
  // A server
  duplicateServer: ['warning', 'Two servers have the same name.'],
  emptyName: ['error', 'A server has no name.'],
  notAnObject: ['error', 'A server is not an object.'],
  noTarget: ['error', 'A server has neither a command nor a URL.'],
  bothTargets: ['warning', 'A server has both a command and a URL.'],
  // The keys of a server
  duplicateKey: ['warning', 'A key is there more than once.'],
  typeForTransport: ['warning', '"type" is there, where "transport" is meant.'],
  needlessType: ['information', '"type" is there, and says what is so anyway.'],
  disabledForEnabled: ['warning', '"disabled" is there, where "enabled" is meant.'],
  foreignKey: ['warning', 'A key is called as in another program.'],
  ignoredKey: ['information', 'A key does something in another program, and nothing here.'],
  misspelledKey: ['warning', 'A key is nearly one that is known.'],
  wrongKind: ['warning', 'A key is for the other kind of server.'],
  // Their values
  commandIsList: ['error', 'The command is a list of words.'],
  commandIsLine: ['warning', 'The command is a line with a program and its arguments.'],
  emptyCommand: ['error', 'The command is empty.'],
  badValue: ['error', 'A value is of the wrong type.'],
  unknownTransport: ['error', 'There is no such transport.'],
  transportMisfit: ['error', 'The transport is for the other kind of server.'],
  badUrl: ['error', 'The URL is none, or none of a web server.'],
  insecureUrl: ['warning', 'A secret is sent to another machine without encryption.'],
  badHeaderName: ['error', 'No header can have this name.'],
  placeholder: ['warning', 'A value was to be replaced by a real one.'],
  notExpanded: ['warning', 'A variable in a value, which nothing replaces.'],
  commandNotFound: ['hint', 'The command is not on the PATH.'],
} as const satisfies Readonly<Record<string, readonly [Severity, string]>>;

export type ProblemCode = keyof typeof codes;
