import { outline, type Outline } from '../mcp/outline.ts';
import { Refusal } from '../mcp/refusal.ts';
import type { Machine } from './machine.ts';
import { readConfig, type ConfigText } from './read.ts';

interface WholeConfig extends ConfigText {
  /** Where the servers are in the text, or why they cannot be found. */
  readonly found: Outline | Refusal;
}

/** The configuration, read again for a moment where another program may be in the middle of writing it. */
export async function readWhole(
  path: string,
  options: Partial<Machine> = {},
): Promise<WholeConfig | undefined> {
  const last: { found?: Outline | Refusal } = {};
  const whole = (text: string) => {
    const found = outlineOrRefusal(text);
    last.found = found;
    return text !== '' && !(found instanceof Refusal && found.kind === 'syntax');
  };
  const config = await readConfig(path, { ...options, whole });
  return config && last.found && { ...config, found: last.found };
}

function outlineOrRefusal(text: string): Outline | Refusal {
  try {
    return outline(text);
  } catch (error) {
    return error as Refusal;
  }
}
