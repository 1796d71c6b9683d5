/**
 * Log files for a VS Code server that is installed without native modules,
 * which it would write them with.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Replaces `@vscode/spdlog`. Written for the Node of the server, in the form
 * that it can import names from.
 */
const replacement = `const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

class Logger {
  constructor(type, name, file) {
    this.file = file;
    this.isPlain = false;
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'critical']) {
      this[level] = (message) => this.write(level, message);
    }
    for (const ignored of ['getLevel', 'setLevel', 'setPattern', 'flush', 'drop']) this[ignored] = () => 0;
  }
  clearFormatters() {
    this.isPlain = true;
  }
  write(level, message) {
    const line = this.isPlain ? message : new Date().toISOString() + ' [' + level + '] ' + message + '\\n';
    try {
      appendFileSync(this.file, line);
    } catch {
      // The folder was removed after the test.
    }
  }
}

async function createLogger(name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('', name, file);
}

exports.version = 0;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
`;

/** Lets the server in this folder write its log files. */
export async function enableLogFiles(server: string): Promise<void> {
  const file = join(server, 'node_modules/@vscode/spdlog/index.js');
  if ((await readFile(file, 'utf8')) === replacement) return;
  // Replaced in one step, because another test may just start this server.
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, replacement);
  await rename(temporary, file);
}
