/**
 * Changes MCP servers in the settings of a service. Untouched parts stay,
 * secrets included.
 */
import { type QuickPickItem, ThemeIcon } from 'vscode';
import { t } from '../../../base/l10n.ts';
import { maskUrl } from '../../../base/masks/maskUrl.ts';
import { plainText } from '../../../base/plainText.ts';
import { mask, Secret } from '../../../base/secret.ts';
import { splitLine } from '../../../mcp/cli/shellWords.ts';
import { shellWord } from '../../../mcp/format/mask.ts';
import type {
  ServerChange,
  ServiceServer,
} from '../../../service/records/serviceServer.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { confirm } from '../../ui/messages.ts';
import { askPick, askText } from '../../ui/steps.ts';
import { inPick } from '../../words/foreignText.ts';
import { targetAtService } from '../../words/mcpServers/serviceServerWords.ts';
import { acceptsReceiver } from '../ofFile/changeServers.ts';
import {
  changeAtService,
  pickServiceServer,
  type ServerSource,
} from './pickServiceServer.ts';

export async function enableAtService(
  switchboard: Switchboard,
  sources: readonly ServerSource[],
  enabled: boolean,
): Promise<void> {
  const question = enabled
    ? t('Select the MCP server to enable')
    : t('Select the MCP server to disable');
  for (const source of sources.length === 0 ? [undefined] : sources) {
    const picked = await pickServiceServer(
      switchboard,
      source,
      question,
      (ability, server) => !!ability.changing && server.enabled !== enabled,
    );
    if (!picked) return;
    const { service, server } = picked;
    // Disabling is right for any server of that name.
    await changeAtService(service, enabled ? [server] : [], (changing) =>
      changing.change(server.name, { enabled }),
    );
  }
}

export async function removeAtService(
  switchboard: Switchboard,
  source: ServerSource,
): Promise<void> {
  const picked = await pickServiceServer(
    switchboard,
    source,
    t('Select the MCP server to remove'),
    ({ changing }) => !!changing,
  );
  if (!picked) return;
  const { service, server, name, place } = picked;
  const secrets = secretNames(server).map((secretName) =>
    plainText(secretName, 80),
  );
  const detail = [
    targetAtService(server),
    secrets.length > 0 &&
      t(
        'These values are lost, because the service does not reveal them: {0}',
        secrets.join(', '),
      ),
    t('This cannot be undone.'),
  ];
  if (
    !(await confirm(
      t('Remove “{0}” from {1}?', name, place),
      detail,
      t('Remove'),
    ))
  )
    return;
  await changeAtService(service, [server], (changing) =>
    changing.remove(server.name),
  );
}

function secretNames(server: ServiceServer): readonly string[] {
  if (server.transport === undefined) return [];
  if (server.transport === 'stdio') return [...(server.env?.keys() ?? [])];
  return [
    ...(server.headers?.keys() ?? []),
    ...(server.auth?.secrets.keys() ?? []),
  ];
}

interface Part extends QuickPickItem {
  readonly askForChange: () => Promise<ServerChange | undefined>;
}

export async function editAtService(
  switchboard: Switchboard,
  source: ServerSource,
): Promise<void> {
  const picked = await pickServiceServer(
    switchboard,
    source,
    t('Select the MCP server to edit'),
    ({ changing }) => !!changing,
  );
  if (!picked) return;
  const { service, server, name, place } = picked;
  const title = t('Edit “{0}” of {1}', name, place);
  const part = await askPick<Part>({
    title,
    items: partsOf(title, server),
    placeholder: t('Select what to change'),
  });
  const change =
    typeof part === 'object' ? await part.askForChange() : undefined;
  if (change)
    await changeAtService(service, [server], (changing) =>
      changing.change(server.name, change),
    );
}

function partsOf(title: string, server: ServiceServer): readonly Part[] {
  if (server.transport === undefined) return [];
  if (server.transport !== 'stdio') {
    return [
      {
        label: t('URL'),
        description: inPick(maskUrl(server.url)),
        askForChange: async () => {
          const url = await askForValue(
            title,
            t('The address of the server'),
            server.url,
          );
          if (url === undefined || url === server.url) return undefined;
          return (await acceptsReceiver(
            server,
            server.url,
            url,
            secretNames(server),
          ))
            ? { url }
            : undefined;
        },
      },
      ...secretParts(title, 'headers', server.headers),
    ];
  }
  const line = [server.command, ...server.args].map(shellWord).join(' ');
  return [
    {
      label: t('Command'),
      description: inPick(targetAtService(server, 100)),
      askForChange: async () => {
        const typed = await askForValue(
          title,
          t('The program with its arguments, as in a shell'),
          line,
          {
            problemOf: (text) =>
              splitLine(text) ? undefined : t('A quote is not closed.'),
          },
        );
        if (typed === undefined || typed === line) return undefined;
        const [command, ...args] = splitLine(typed) ?? [];
        return command === undefined ? undefined : { command, args };
      },
    },
    ...secretParts(title, 'env', server.env),
  ];
}

function secretParts(
  title: string,
  kind: 'env' | 'headers',
  values: ReadonlyMap<string, unknown> = new Map(),
): readonly Part[] {
  const askForSecret = async (
    name: string,
    prompt: string,
  ): Promise<ServerChange | undefined> => {
    const value = await askForValue(title, prompt, '', { hidden: true });
    return value === undefined
      ? undefined
      : { [kind]: new Map([[name, new Secret(value)]]) };
  };
  return [
    ...[...values.keys()].flatMap((name): Part[] => {
      const plainName = plainText(name, 80);
      return [
        {
          label: inPick(plainName),
          description: mask,
          iconPath: new ThemeIcon('key'),
          askForChange: () =>
            askForSecret(name, t('The new value of {0}', plainName)),
        },
        {
          label: inPick(t('Remove {0}', plainName)),
          iconPath: new ThemeIcon('trash'),
          askForChange: () =>
            Promise.resolve({ [kind]: new Map([[name, null]]) }),
        },
      ];
    }),
    {
      label: kind === 'env' ? t('Add a Variable') : t('Add a Header'),
      iconPath: new ThemeIcon('add'),
      askForChange: async () => {
        const prompt =
          kind === 'env'
            ? t('The name of the variable')
            : t('The name of the header');
        const name = await askForValue(title, prompt, '');
        return name === undefined
          ? undefined
          : await askForSecret(
              name,
              t('The value of {0}', plainText(name, 80)),
            );
      },
    },
  ];
}

async function askForValue(
  title: string,
  prompt: string,
  value: string,
  {
    hidden = false,
    problemOf = () => undefined,
  }: {
    readonly hidden?: boolean;
    readonly problemOf?: (typed: string) => string | undefined;
  } = {},
): Promise<string | undefined> {
  const answer = await askText({
    title,
    prompt,
    value,
    hidden,
    validate: (typed) =>
      typed.trim() === '' ? t('Enter a value.') : problemOf(typed),
  });
  return typeof answer === 'string' && answer.trim() !== ''
    ? answer
    : undefined;
}
