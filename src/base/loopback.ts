/** Whether what is sent to this host stays on this machine, where nobody else can read it. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1\]|host\.docker\.internal)$/i.test(hostname);
}
