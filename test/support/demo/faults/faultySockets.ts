import type { WebSocket } from 'ws';
import {
  type SocketRequest,
  Sockets,
} from '../../../../src/demo/routes/sockets.ts';
import type { Call } from '../../../../src/demo/wire/http.ts';
import type { RouteContext } from '../../../../src/demo/routes/route.ts';
import type { World } from '../../../../src/demo/world/world.ts';
import type { SocketFault } from './effect.ts';

/** The WebSockets of a demo with these faults. */
export class FaultySockets extends Sockets {
  readonly #faultsOn: (call: Call) => readonly SocketFault[];
  readonly #faults = new WeakMap<Call | WebSocket, readonly SocketFault[]>();
  readonly #world: World;

  constructor(
    context: RouteContext,
    faultsOn: (call: Call) => readonly SocketFault[],
  ) {
    super(context);
    this.#world = context.world;
    this.#faultsOn = faultsOn;
  }

  override open(request: SocketRequest): void {
    const faults = this.#faultsOn(request.call);
    this.#faults.set(request.call, faults);
    const refused = faults.find(
      ({ refusal }) => refusal !== undefined,
    )?.refusal;
    if (refused === undefined) super.open(request);
    else
      request.socket.end(
        `HTTP/1.1 ${refused} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
  }

  protected override accept(socket: WebSocket, call: Call, key: string): void {
    const faults = this.#faults.get(call) ?? [];
    this.#faults.set(socket, faults);
    const code = faults.find(({ closing }) => closing !== undefined)?.closing;
    if (code === undefined) super.accept(socket, call, key);
    else socket.close(code);
  }

  protected override sender(socket: WebSocket): (frame: string) => void {
    const faults = this.#faults.get(socket) ?? [];
    return faults.reduce(
      (next, { frames }) => frames?.(next, socket, this.#world) ?? next,
      super.sender(socket),
    );
  }
}
