/** Runs one installation or start at a time, and shows it in a terminal. */
import { userError } from '../../base/l10n.ts';
import type { SharedAgentServer } from '../../localServer/sharedAgentServer.ts';
import { type ShownWork, unlessCancelled } from '../ui/messages.ts';
import { ServerTerminal } from './serverTerminal.ts';

export class ServerWork {
  readonly #server: SharedAgentServer;
  readonly #terminal: ServerTerminal;
  #running: AbortController | undefined;

  /** `stopServer` is called by Ctrl+C in the terminal while nothing runs. */
  constructor(server: SharedAgentServer, stopServer: () => void) {
    this.#server = server;
    this.#terminal = new ServerTerminal(server.logFile, () => {
      if (this.#running) this.#running.abort();
      else stopServer();
    });
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** One work at a time. Undefined if it was canceled, also by Ctrl+C. */
  async run<T>(title: string, work: ShownWork<T>): Promise<T | undefined> {
    if (this.#running)
      throw userError('The Agent Server is being installed or started.');
    const controller = new AbortController();
    this.#running = controller;
    try {
      return await unlessCancelled(title, async (signal, report) => {
        const abort = () => {
          controller.abort();
        };
        signal.addEventListener('abort', abort);
        return await work(controller.signal, report);
      });
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  writer(report: (line: string) => void): (text: string) => void {
    this.#terminal.show();
    return (text) => {
      void this.#server.log(text);
      const line = text.trim().split('\n').at(-1);
      if (line) report(line);
    };
  }

  showTerminal(): void {
    this.#terminal.show();
  }

  dispose(): void {
    this.#running?.abort();
    this.#terminal.dispose();
  }
}
