/** Translates a server of a service to mcp.json. Its secrets must be entered. */
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { Secret } from '../../base/secret.ts';
import type { WrittenServer } from '../../mcp/edit/wantedChange.ts';
import type { Fields, Value } from '../../mcp/text/values.ts';
import type { ServiceAuth, ServiceServer } from '../../service/serviceServer.ts';

export interface NeededSecret {
  readonly kind: 'variable' | 'header' | 'token' | 'password';
  /** For a password, the user name. */
  readonly name: string;
}

interface ForFile {
  /** Undefined if impossible; the last remark says why. */
  readonly server: Writer | undefined;
  readonly needed: readonly NeededSecret[];
  /** Sentences about what is lost. */
  readonly remarks: readonly string[];
}

/** Takes one secret for each that is needed. */
type Writer = (secrets: readonly Secret[]) => WrittenServer;

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
        ? t('The service does not tell which variables the server has: add them to the entry yourself.')
        : t('The service does not tell which headers the server has: add them to the entry yourself.'),
    );
  }
  const kind = server.transport === 'stdio' ? 'variable' : 'header';
  const needed: NeededSecret[] = [...(values?.keys() ?? [])].map((each) => ({ kind, name: each }));
  const own = needed.length;
  const signIn = server.transport === 'stdio' ? undefined : signInOf(server.auth, remarks);
  needed.push(...(signIn?.needed ?? []));
  return {
    needed,
    remarks,
    server: (secrets) => {
      if (secrets.length !== needed.length) throw new Error('A secret is missing.');
      const entered = new Map(needed.slice(0, own).map(({ name }, at) => [name, given(secrets[at])]));
      if (server.transport === 'stdio') {
        const { transport, command, args } = server;
        return { name, enabled, extra, server: { transport, command, args, env: entered } };
      }
      const { transport, url } = server;
      const { headers = [], auth } = signIn?.write(secrets.slice(own)) ?? {};
      return {
        ...{ name, enabled, extra },
        server: { transport, url, headers: new Map([...entered, ...headers]), ...(auth && { auth }) },
      };
    },
  };
}

interface SignIn {
  readonly needed: readonly NeededSecret[];
  readonly write: (secrets: readonly Secret[]) => {
    readonly headers?: readonly (readonly [string, Secret])[];
    readonly auth?: Secret;
  };
}

function signInOf(auth: ServiceAuth | undefined, remarks: string[]): SignIn | undefined {
  const strategy = auth?.strategy ?? 'none';
  const header = auth?.told.get('header_name');
  switch (strategy) {
    case 'none':
      return undefined;
    case 'oauth2':
      if ((auth?.told.size ?? 0) > 0) {
        remarks.push(
          t('What the service knows of the sign-in is left out: mcp.json only says that there is one.'),
        );
      }
      return { needed: [], write: () => ({ auth: new Secret('oauth') }) };
    case 'api_key':
    case 'bearer':
      return header === undefined
        ? { needed: [{ kind: 'token', name: '' }], write: ([token]) => ({ auth: given(token) }) }
        : {
            needed: [{ kind: 'header', name: header }],
            write: ([value]) => ({ headers: [[header, given(value)]] }),
          };
    case 'basic': {
      const user = auth?.told.get('username') ?? '';
      return {
        needed: [{ kind: 'password', name: user }],
        write: ([password]) => {
          const both = Buffer.from(`${user}:${given(password).reveal()}`).toString('base64');
          return { headers: [['authorization', new Secret('Basic ' + both)]] };
        },
      };
    }
    case 'header': {
      const names = [...(auth?.secrets.keys() ?? [])].map((place) => place.replace(/^headers\./, ''));
      return {
        needed: names.map((name) => ({ kind: 'header', name })),
        write: (secrets) => ({ headers: names.map((name, at) => [name, given(secrets[at])] as const) }),
      };
    }
    default:
      remarks.push(
        t('Its sign-in is left out, because mcp.json has none like it: {0}.', plainText(strategy, 60)),
      );
      return undefined;
  }
}

function given(secret: Secret | undefined): Secret {
  if (!secret) throw new Error('A secret is missing.');
  return secret;
}

function extrasOf({ extras, transport }: ServiceServer, remarks: string[]): Fields {
  const notTaken = new Set(transport === 'stdio' ? ['sse_read_timeout'] : ['cwd', 'keep_alive']);
  const fields = new Map<string, Value>();
  for (const [key, value] of Object.entries(extras) as [string, Value][]) {
    const isTaken = !notTaken.has(key) && (key !== 'timeout' || Number.isInteger(value));
    if (isTaken) fields.set(key, value);
    else remarks.push(t('"{0}" is left out, because mcp.json does not take it.', key));
  }
  return fields;
}
