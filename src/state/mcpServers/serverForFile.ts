/**
 * Translates a server of a service to mcp.json. Its secrets must be entered.
 */
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { Secret } from '../../base/secret.ts';
import type { WrittenServer } from '../../mcp/edit/wantedChange.ts';
import type { Fields, Value } from '../../mcp/text/values.ts';
import type {
  ServiceAuth,
  ServiceServer,
} from '../../service/records/serviceServer.ts';

export interface NeededSecret {
  readonly kind: 'variable' | 'header' | 'token' | 'password';
  /** The user name for a password. */
  readonly name: string;
}

interface ForFile {
  /**
   * Takes one secret per `needed` entry. `undefined` if impossible; the last
   * remark says why.
   */
  readonly server: ((secrets: readonly Secret[]) => WrittenServer) | undefined;
  readonly needed: readonly NeededSecret[];
  /** Sentences about what is lost. */
  readonly remarks: readonly string[];
}

export function translateForFile(server: ServiceServer): ForFile {
  const remarks: string[] = [];
  const { name, enabled } = server;
  const extra = extrasOf(server, remarks);
  if (server.transport === undefined) {
    remarks.push(t('It has neither a command nor a URL.'));
    return { server: undefined, needed: [], remarks };
  }
  const values = server.transport === 'stdio' ? server.env : server.headers;
  if (values === undefined) {
    remarks.push(
      server.transport === 'stdio'
        ? t(
            'The service does not report which variables the server has. Add them to the entry yourself.',
          )
        : t(
            'The service does not report which headers the server has. Add them to the entry yourself.',
          ),
    );
  }
  const kind = server.transport === 'stdio' ? 'variable' : 'header';
  const needed: NeededSecret[] = [...(values?.keys() ?? [])].map(
    (valueName) => ({ kind, name: valueName }),
  );
  if (server.transport !== 'stdio')
    needed.push(...signInOf(server.auth, remarks));
  return {
    needed,
    remarks,
    server: (secrets) => {
      const entered = new Map<string, Secret>();
      const isOauth =
        server.transport !== 'stdio' && server.auth?.strategy === 'oauth2';
      let auth = isOauth ? new Secret('oauth') : undefined;
      for (const [at, { kind, name }] of needed.entries()) {
        const secret = secrets[at];
        if (!secret) throw new Error('A secret is missing.');
        if (kind === 'token') auth = secret;
        else if (kind === 'password') {
          const both = Buffer.from(`${name}:${secret.reveal()}`).toString(
            'base64',
          );
          entered.set('authorization', new Secret('Basic ' + both));
        } else entered.set(name, secret);
      }
      if (server.transport === 'stdio') {
        const { transport, command, args } = server;
        return {
          name,
          enabled,
          extra,
          server: { transport, command, args, env: entered },
        };
      }
      const { transport, url } = server;
      return {
        name,
        enabled,
        extra,
        server: { transport, url, headers: entered, ...(auth && { auth }) },
      };
    },
  };
}

function signInOf(
  auth: ServiceAuth | undefined,
  remarks: string[],
): readonly NeededSecret[] {
  const strategy = auth?.strategy ?? 'none';
  const header = auth?.told.get('header_name');
  switch (strategy) {
    case 'none':
      return [];
    case 'oauth2':
      if ((auth?.told.size ?? 0) > 0) {
        remarks.push(
          t(
            "The service's sign-in details are left out: mcp.json can only say that there is a sign-in.",
          ),
        );
      }
      return [];
    case 'api_key':
    case 'bearer':
      return [
        header === undefined
          ? { kind: 'token', name: '' }
          : { kind: 'header', name: header },
      ];
    case 'basic':
      return [{ kind: 'password', name: auth?.told.get('username') ?? '' }];
    case 'header':
      return [...(auth?.secrets.keys() ?? [])].map((place) => ({
        kind: 'header',
        name: place.replace(/^headers\./, ''),
      }));
    default:
      remarks.push(
        t(
          'Its sign-in is left out, because mcp.json does not support it: {0}.',
          plainText(strategy, 60),
        ),
      );
      return [];
  }
}

function extrasOf(
  { extras, transport }: ServiceServer,
  remarks: string[],
): Fields {
  const notTaken = new Set(
    transport === 'stdio' ? ['sse_read_timeout'] : ['cwd', 'keep_alive'],
  );
  const fields = new Map<string, Value>();
  for (const [key, value] of Object.entries(extras) as [string, Value][]) {
    const isTaken =
      !notTaken.has(key) && (key !== 'timeout' || Number.isInteger(value));
    if (isTaken) fields.set(key, value);
    else
      remarks.push(
        t('"{0}" is left out, because mcp.json does not support it.', key),
      );
  }
  return fields;
}
