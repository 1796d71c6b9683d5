import { type Stats, unwatchFile, watchFile } from 'node:fs';
import { open } from 'node:fs/promises';
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
        const text = await part(this.#logFile, position, size).catch(() => '');
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
          void sizeOf(this.#logFile).then(read);
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

async function sizeOf(path: string): Promise<number> {
  const file = await open(path).catch(() => undefined);
  try {
    return (await file?.stat())?.size ?? 0;
  } finally {
    await file?.close();
  }
}

async function part(path: string, start: number, end: number): Promise<string> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(end - start);
    await file.read(bytes, 0, bytes.length, start);
    return bytes.toString();
  } finally {
    await file.close();
  }
}
