import { statfs } from 'node:fs/promises';

/**
 * Magic numbers of Linux file systems whose watchers miss changes from
 * elsewhere.
 */
const networkTypes: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x517b, // SMB
  0x01021997, // 9P: the drives of Windows in its subsystem for Linux
  0x65735546, // FUSE, such as sshfs
  0x786f4256, // folders that VirtualBox shares
  0xbacbacbc, // folders that VMware shares
  0x00c36400, // Ceph
  0x5346414f, // AFS
]);

interface FileSystems {
  readonly platform: NodeJS.Platform;
  readonly typeOf: (folder: string) => Promise<number>;
}

const thisMachine: FileSystems = {
  platform: process.platform,
  typeOf: async (folder) => (await statfs(folder)).type,
};

/** True if a watcher is known to miss changes in one of these folders. */
export async function needsPolling(
  folders: readonly string[],
  { platform, typeOf }: FileSystems = thisMachine,
): Promise<boolean> {
  if (platform === 'win32')
    return folders.some((folder) => folder.startsWith('\\\\'));
  // macOS mounts network drives there, and some local ones.
  if (platform === 'darwin')
    return folders.some((folder) => folder.startsWith('/Volumes/'));
  const types = await Promise.all(
    folders.map((folder) => typeOf(folder).catch(() => 0)),
  );
  // The number is signed on some machines.
  return types.some((type) => networkTypes.has(type >>> 0));
}
