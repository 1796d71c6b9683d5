import { arch, cpus, platform, totalmem } from 'node:os';
import manifest from '../../package.json' with { type: 'json' };

export interface About {
  readonly date: Date;
  /** The version of the extension. */
  readonly version: string;
  readonly cores: number;
  readonly processor: string;
  readonly arch: string;
  /** Size in bytes. */
  readonly memory: number;
  readonly platform: NodeJS.Platform;
  /** The version of Node. */
  readonly node: string;
}

export function aboutThis(): About {
  const all = cpus();
  return {
    date: new Date(),
    version: manifest.version,
    cores: all.length,
    processor: all[0]?.model ?? '',
    arch: arch(),
    memory: totalmem(),
    platform: platform(),
    node: process.versions.node,
  };
}

/**
 * The version, the date and the kind of machine. Contains nothing that
 * identifies a particular machine.
 */
export function heading(about: About): string {
  const { cores, arch, memory, platform, node } = about;
  const kind = families.exec(about.processor.replace(/\((R|TM)\)/gi, ''))?.[0];
  const machine = [
    `${cores} ${arch} ${cores === 1 ? 'core' : 'cores'}${kind === undefined ? '' : ` (${kind})`}`,
    `${Math.round(memory / 2 ** 30)} GB of memory`,
    systems[platform] ?? platform,
    `Node ${node}`,
  ];
  return `Agent Switchboard ${about.version}, ${about.date.toISOString().slice(0, 10)}, on ${machine.join(', ')}.`;
}

/**
 * The rest of a processor's name can be anything, even the name of a cloud
 * provider's machine.
 */
const families =
  /Apple M\d+|AMD (EPYC|Ryzen \d|Ryzen Threadripper)|Intel (Xeon|Core Ultra \d|Core i\d)|Neoverse|Cortex/;

const systems: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
};
