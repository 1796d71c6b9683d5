/** Editing an MCP server of a service, part by part: what is not touched stays as it is, its secrets included. */
import { type QuickPickItem, ThemeIcon } from 'vscode';
import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { mask, Secret } from '../../../base/secret.ts';
import { shellWord } from '../../../mcp/format/mask.ts';
import { maskUrl } from '../../../base/maskUrl.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import type { ServerChange, ServiceServer } from '../../../service/serviceServer.ts';
import { confirm } from '../../ui/messages.ts';
import { askPick, askText } from '../../ui/steps.ts';
import { inPick } from '../../words/foreignText.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { changing, serviceServerOf } from './chosen.ts';
import { splitLine } from '../../../mcp/cli/shellWords.ts';

interface Part extends QuickPickItem {
  /** The change that the person wants; undefined if it was given up. */
  readonly ask: () => Promise<ServerChange | undefined>;
}

export async function editServiceServer(
  switchboard: Switchboard,
  id?: string,
  at?: ConnectedService,
): Promise<void> {
  const question = t('Select the MCP server to edit');
  const chosen = await serviceServerOf(switchboard, id, question, ({ changing }) => !!changing, at);
  if (!chosen) return;
  const { service, server } = chosen;
  const title = t('Edit “{0}” of {1}', serverName(server), plainText(service.name, 80));
  const items = partsOf(title, server);
  const part = await askPick<Part>({ title, items, placeholder: t('Select what to change') });
  const change = typeof part === 'object' ? await part.ask() : undefined;
  if (!change) return;
  await service.toolServers.change((ability) => changing(ability).change(server.name, change));
}

function partsOf(title: string, server: ServiceServer): readonly Part[] {
  if (server.transport === undefined) return [];
  if (server.transport !== 'stdio') {
    return [
      {
        label: t('URL'),
        description: inPick(maskUrl(server.url)),
        ask: async () => {
          const url = await text(title, t('The address of the server'), server.url);
          if (url === undefined || url === server.url) return undefined;
          return (await isSentElsewhere(server, url)) ? { url } : undefined;
        },
      },
      ...secretParts(title, 'headers', server.headers),
    ];
  }
  const line = [server.command, ...server.args].map(shellWord).join(' ');
  return [
    {
      label: t('Command'),
      description: inPick(plainText(line, 100)),
      ask: async () => {
        const typed = await text(title, t('The program with its arguments, as in a shell'), line);
        const [command, ...args] = (typed === undefined ? undefined : splitLine(typed)) ?? [];
        return command === undefined ? undefined : { command, args };
      },
    },
    ...secretParts(title, 'env', server.env),
  ];
}

/** The service keeps the secrets of a server whose address changes, and sends them to the new one. */
async function isSentElsewhere(
  server: Extract<ServiceServer, { readonly url: string }>,
  url: string,
): Promise<boolean> {
  const names = [...(server.headers?.keys() ?? []), ...(server.auth?.secrets.keys() ?? [])];
  const isElsewhere = URL.parse(url)?.origin !== URL.parse(server.url)?.origin;
  if (names.length === 0 || !isElsewhere) return true;
  const detail = t(
    'Its secrets stay and are sent there: {0}',
    names.map((name) => plainText(name, 80)).join(', '),
  );
  const question = t('Send the secrets of “{0}” to {1}?', serverName(server), plainText(maskUrl(url), 200));
  return await confirm(question, detail, t('Change'));
}

function secretParts(
  title: string,
  kind: 'env' | 'headers',
  values: ReadonlyMap<string, unknown> | undefined,
): readonly Part[] {
  const of = (name: string, value: Secret | null): ServerChange => ({ [kind]: new Map([[name, value]]) });
  const known = [...(values?.keys() ?? [])].flatMap((name): Part[] => {
    const shown = plainText(name, 80);
    return [
      {
        label: inPick(shown),
        description: mask,
        iconPath: new ThemeIcon('key'),
        ask: async () => {
          const value = await text(title, t('The new value of {0}', shown), '', true);
          return value === undefined ? undefined : of(name, new Secret(value));
        },
      },
      {
        label: inPick(t('Remove {0}', shown)),
        iconPath: new ThemeIcon('trash'),
        ask: () => Promise.resolve(of(name, null)),
      },
    ];
  });
  return [
    ...known,
    {
      label: kind === 'env' ? t('Add a Variable') : t('Add a Header'),
      iconPath: new ThemeIcon('add'),
      ask: async () => {
        const name = await text(
          title,
          kind === 'env' ? t('The name of the variable') : t('The name of the header'),
          '',
        );
        if (name === undefined) return undefined;
        const value = await text(title, t('The value of {0}', plainText(name, 80)), '', true);
        return value === undefined ? undefined : of(name, new Secret(value));
      },
    },
  ];
}

/** Undefined if it was given up. */
async function text(
  title: string,
  prompt: string,
  value: string,
  hidden = false,
): Promise<string | undefined> {
  const answer = await askText({
    ...{ title, prompt, value, hidden },
    validate: (typed) => (typed.trim() === '' ? t('Enter a value.') : undefined),
  });
  return typeof answer === 'string' && answer.trim() !== '' ? answer : undefined;
}
