import {
  createReadStream,
  type Stats,
  statSync,
  unwatchFile,
  watchFile,
} from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { EventEmitter, type Terminal, window } from 'vscode';
import { Serial } from '../../base/serial.ts';
import { t } from '../../base/l10n.ts';

/** More of an old log is not shown, in bytes. */
const maxOldBytes = 64 * 1024;
const pollIntervalMs = 300;
const interruptKey = '\u0003';

/** Shows a log that another process writes, until the terminal is closed. */
export class ServerTerminal {
  readonly #logFile: string;
  readonly #interrupt: () => void;
  #terminal: Terminal | undefined;

  /** `interrupt` is called when the user presses Ctrl+C in the terminal. */
  constructor(logFile: string, interrupt: () => void) {
    this.#logFile = logFile;
    this.#interrupt = interrupt;
  }

  show(): void {
    this.#terminal ??= this.#create();
    this.#terminal.show(true);
  }

  dispose(): void {
    this.#terminal?.dispose();
  }

  #create(): Terminal {
    const written = new EventEmitter<string>();
    const reads = new Serial();
    let position: number | undefined;
    const read = (size: number) =>
      void reads.run(async () => {
        // The log of an earlier start was longer.
        if (position !== undefined && size < position) {
          position = 0;
          written.fire('\u001bc');
        }
        position ??= Math.max(0, size - maxOldBytes);
        if (size <= position) return;
        const part = { start: position, end: size - 1 };
        const text = await textOf(createReadStream(this.#logFile, part)).catch(
          () => '',
        );
        position = size;
        written.fire(text.replaceAll(/\r?\n/g, '\r\n'));
      });
    const look = ({ size }: Stats) => {
      read(size);
    };
    return window.createTerminal({
      name: t('Agent Server'),
      pty: {
        onDidWrite: written.event,
        open: () => {
          watchFile(this.#logFile, { interval: pollIntervalMs }, look);
          read(statSync(this.#logFile, { throwIfNoEntry: false })?.size ?? 0);
        },
        close: () => {
          unwatchFile(this.#logFile, look);
          written.dispose();
          this.#terminal = undefined;
        },
        handleInput: (data: string) => {
          if (data === interruptKey) this.#interrupt();
        },
      },
    });
  }
}
