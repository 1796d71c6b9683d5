/** Has the entry of an MCP server name another address: the one to which it redirects. */
import { t } from '../../../base/l10n.ts';
import { maskUrl } from '../../../base/maskUrl.ts';
import { plainText } from '../../../base/plainText.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import { confirm } from '../../ui/messages.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import { changeServers, type ServerFileParts } from './changeServers.ts';

export async function changeUrl(parts: ServerFileParts, entry: Entry, url: string): Promise<void> {
  if (!(await acceptsReceiver(entry, url))) return;
  await changeServers(
    parts,
    [{ do: 'url', name: entry.name, url }],
    t('Changed the URL of “{0}” to {1}.', serverName(entry), plainText(maskUrl(url), 200)),
  );
}

/** Whoever is at the new address gets the secrets of the entry. */
async function acceptsReceiver({ name, server }: Entry, url: string): Promise<boolean> {
  if (!server || server.transport === 'stdio' || isSafer(server.url, url)) return true;
  const secrets = [...server.headers.keys(), ...(server.auth ? ['auth'] : [])];
  if (secrets.length === 0) return true;
  const detail = t(
    'Its secrets stay and are sent there: {0}',
    secrets.map((each) => plainText(each, 80)).join(', '),
  );
  const question = t('Send the secrets of “{0}” to {1}?', serverName({ name }), plainText(maskUrl(url), 200));
  return await confirm(question, detail, t('Change'));
}

/** Whether it is the same host, reached at least as safely. */
function isSafer(before: string, after: string): boolean {
  const [was, is] = [URL.parse(before), URL.parse(after)];
  if (!was || !is) return false;
  return is.origin === was.origin || (is.protocol === 'https:' && is.hostname === was.hostname);
}
