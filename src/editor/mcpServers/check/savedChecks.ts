/** The checks of MCP servers that all windows of the machine share. */
import { systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { changeShared, readShared } from '../../../files/sharedFile.ts';
import { ServerChecks } from '../../../state/mcpServers/serverChecks.ts';
import type { ServerList } from '../../../state/mcpServers/serverList.ts';
import { contextKeys } from '../../manifest.ts';
import { setContext } from '../../ui/rememberedContext.ts';

export async function loadChecks(
  servers: ServerList,
  file: string,
  log: Log,
): Promise<ServerChecks> {
  const store = {
    read: async () => (await readShared(file)).text,
    change: (change: (text: string) => string) =>
      changeShared(file, ({ text }) => change(text)),
  };
  const checks = new ServerChecks(servers, store, systemClock, log);
  const learn = () => {
    if (
      servers.entries.some(
        ({ name }) => (checks.toolsOf(name)?.length ?? 0) > 0,
      )
    )
      setContext(contextKeys.toolsKnown, true);
  };
  await checks.load();
  learn();
  checks.onChange(learn);
  return checks;
}
