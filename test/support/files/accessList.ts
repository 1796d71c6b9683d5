/**
 * Access control lists on Linux, set and read with a language that most
 * machines have: Node knows no such lists.
 */
import { execFileSync } from 'node:child_process';

/**
 * Another user may read and write; the group of the file may do nothing. As the
 * kernel keeps it: tag, permissions, id.
 */
const entries = [
  [0x01, 6, -1],
  [0x02, 6, 1_234],
  [0x04, 0, -1],
  [0x10, 6, -1],
  [0x20, 0, -1],
] as const;

const list = Buffer.alloc(4 + 8 * entries.length);
list.writeUInt32LE(2);
for (const [index, [tag, permissions, id]] of entries.entries()) {
  list.writeUInt16LE(tag, 4 + 8 * index);
  list.writeUInt16LE(permissions, 6 + 8 * index);
  list.writeInt32LE(id, 8 + 8 * index);
}

/** The numbers of setxattr and getxattr. */
const [set, get] = process.arch === 'arm64' ? [5, 8] : [188, 191];

const perl = {
  set: `exit(syscall(${set}, $ARGV[0], "system.$ARGV[1]", pack("H*", $ARGV[2]), length($ARGV[2]) / 2, 0) != 0)`,
  get: `$b = "\\0" x 999; $n = syscall(${get}, $ARGV[0], "system.$ARGV[1]", $b, 999); print unpack("H*", substr($b, 0, $n < 0 ? 0 : $n))`,
};
const python = {
  set: `import os, sys; os.setxattr(sys.argv[1], "system." + sys.argv[2], bytes.fromhex(sys.argv[3]))`,
  get: `import os, sys; n = "system." + sys.argv[2]; print(os.getxattr(sys.argv[1], n).hex() if n in os.listxattr(sys.argv[1]) else "", end="")`,
};

function run(what: 'set' | 'get', ...parameters: readonly string[]): string {
  const options = { encoding: 'utf8', stdio: 'pipe' } as const;
  try {
    return execFileSync('perl', ['-e', perl[what], ...parameters], options);
  } catch {
    return execFileSync(
      'python3',
      ['-c', python[what], ...parameters],
      options,
    );
  }
}

/**
 * Gives a file a list, after which its mode is 0660 although its group may do
 * nothing; or a folder, for the files that are made in it.
 */
export function setAccessList(
  path: string,
  kind: 'access' | 'default' = 'access',
): void {
  run('set', path, `posix_acl_${kind}`, list.toString('hex'));
}

/** True if an access list gives another user access. */
export function hasAccessList(path: string): boolean {
  return run('get', path, 'posix_acl_access') === list.toString('hex');
}
