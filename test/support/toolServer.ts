/**
 * A small MCP server for tests, over standard input and output. What it does is
 * in a file, so that a test can change it.
 *   node test/support/toolServer.ts FILE
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../host/paths.ts';

export interface Behaviour {
  readonly tools?: readonly OfferedTool[];
  /** Ends at once with this exit code, after it has printed why. */
  readonly exits?: { readonly code: number; readonly says: string };
  /** Never answers. */
  readonly hangs?: boolean;
}

export interface OfferedTool {
  readonly name: string;
  readonly description?: string;
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
  };
}

/** The command that starts one. */
export function toolServer(file: string): {
  readonly command: string;
  readonly args: readonly string[];
} {
  return {
    command: join(root, 'node_modules/.bin/node'),
    args: [join(root, 'test/support/toolServer.ts'), file],
  };
}

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

function resultOf(
  { method, params }: Request,
  tools: Behaviour['tools'] = [],
): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'tools of a test', version: '1.0.0' },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return {
        tools: tools.map((tool) => ({
          inputSchema: { type: 'object' },
          ...tool,
        })),
      };
    default:
      return undefined;
  }
}

if (import.meta.main) {
  const { tools, exits, hangs } = JSON.parse(
    readFileSync(process.argv[2] ?? '', 'utf8'),
  ) as Behaviour;
  if (exits) {
    process.stderr.write(`${exits.says}\n`);
    process.exit(exits.code);
  }
  createInterface({ input: process.stdin }).on('line', (line) => {
    const request = JSON.parse(line) as Request;
    if (request.id === undefined || hangs) return;
    const result = resultOf(request, tools);
    const answer = result
      ? { result }
      : { error: { code: -32601, message: 'Method not found' } };
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: request.id, ...answer })}\n`,
    );
  });
}
