/**
 * The environment that the agent gives to a program: safe inherited variables,
 * and those of the entry.
 */

/**
 * The variables that the Python package of the protocol inherits, which the
 * agent uses.
 */
const inherited = {
  posix: ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
  windows: [
    'APPDATA',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'USERNAME',
    'USERPROFILE',
  ],
} as const;

export function programEnvironment(
  own: Readonly<Record<string, string>>,
  from: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const isWindows = platform === 'win32';
  const environment: Record<string, string> = {};
  for (const name of isWindows ? inherited.windows : inherited.posix) {
    const value = variable(from, name, platform);
    // Functions of a shell are code.
    if (value !== undefined && !value.startsWith('()'))
      environment[name] = value;
  }
  for (const [name, value] of Object.entries(own)) {
    // Names that differ only in case are one variable on Windows.
    const same =
      isWindows &&
      Object.keys(environment).find(
        (key) => key.toUpperCase() === name.toUpperCase(),
      );
    if (typeof same === 'string') Reflect.deleteProperty(environment, same);
    environment[name] = value;
  }
  return environment;
}

/** The value of a variable, whose name has no case on Windows. */
export function variable(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32' || environment[name] !== undefined)
    return environment[name];
  const key = Object.keys(environment).find(
    (candidate) => candidate.toUpperCase() === name,
  );
  return key === undefined ? undefined : environment[key];
}
