/** What the page of an MCP server says of its check, and what leads on from there. */
import { t } from '../../base/l10n.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import { shownStart } from '../../probe/shownStart.ts';
import { type NameOfService, checkFacts, failureFacts } from '../words/mcpServers/checkWords.ts';
import { probedOf, type ServerChecks } from '../../state/mcpServers/serverChecks.ts';
import { failureActions } from '../words/failureActions.ts';
import type { Section } from '../words/facts.ts';
import { serverName } from '../words/mcpServers/serverWords.ts';
import type { Action } from '../ui/detailsPage.ts';

export interface CheckPage {
  actions(entry: Entry): readonly Action[];
  sections(entry: Entry): readonly Section[];
}

export function checkPage(checks: ServerChecks, nameOf: NameOfService): CheckPage {
  return {
    actions: (entry) => {
      const { here, tools } = checks.of(entry);
      const steps = here?.result.kind === 'fails' ? failureActions(here.result.failure, entry) : [];
      const choose: Action = {
        command: 'switchboard.mcp.chooseTools',
        label: t('Choose Tools'),
        args: [entry.name],
      };
      return [
        ...steps.flatMap(({ isOnPage, ...action }) => (isOnPage ? [] : [action])),
        ...(tools?.length ? [choose] : []),
      ];
    },
    sections: (entry) => {
      const checked = checks.of(entry);
      const probed = probedOf(entry);
      const facts = checkFacts(serverName(entry), checked, probed && shownStart(probed), nameOf);
      if (facts.length === 0) return [];
      const { here } = checked;
      const more = here?.result.kind === 'fails' ? failureFacts(here.result.failure) : [];
      return [{ title: t('Check'), facts: [...facts, ...more] }];
    },
  };
}
