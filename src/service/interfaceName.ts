import type { Interface } from './agentService.ts';

/** As people call it. */
export function interfaceName(name: Interface): string {
  return name === 'agentServer' ? 'Agent Server' : name.toUpperCase();
}
