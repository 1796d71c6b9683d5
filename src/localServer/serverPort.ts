/** The port of the Agent Server on this machine. */
import { type EventEmitter, once } from 'node:events';
import { connect, createServer } from 'node:net';
import { UserError } from '../base/errors.ts';
import { t, userError } from '../base/l10n.ts';

export const firstPort = 8000;
const portsToTry = 100;

/** Another program listens at the port that the server had. */
export class PortTaken extends UserError {
  readonly freePort: number;

  constructor(port: number, freePort: number) {
    super(t('Another program on this machine uses port {0}.', port));
    this.freePort = freePort;
  }
}

export function addressAt(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** The saved port, or the first free one if none is saved. */
export async function freePort(saved: number | undefined): Promise<number> {
  if (saved !== undefined && (await isFree(saved))) return saved;
  for (let port = firstPort; port < firstPort + portsToTry; port++) {
    if (!(await isFree(port))) continue;
    if (saved === undefined) return port;
    throw new PortTaken(saved, port);
  }
  const lastPort = firstPort + portsToTry - 1;
  throw userError('No port from {0} to {1} is free.', firstPort, lastPort);
}

/** Asks first: some systems let two programs listen at one port. */
export async function isFree(port: number): Promise<boolean> {
  const place = { host: '127.0.0.1', port };
  const socket = connect(place);
  const isTaken = await happens(socket, 'connect');
  socket.destroy();
  if (isTaken) return false;
  const server = createServer().listen(place);
  const canListen = await happens(server, 'listening');
  await server[Symbol.asyncDispose]();
  return canListen;
}

/** False if an error comes first. */
async function happens(emitter: EventEmitter, event: string): Promise<boolean> {
  return await once(emitter, event).then(
    () => true,
    () => false,
  );
}
