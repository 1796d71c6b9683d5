/** What the page of an MCP server says of its check, and what leads on from there. */
import { t } from '../../../base/l10n.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import { shownStart } from '../../../probe/shownStart.ts';
import type { NameOfService } from '../../../state/mcpServers/checkDifference.ts';
import { probedOf, type ServerChecks } from '../../../state/mcpServers/serverChecks.ts';
import { checkFacts, failureFacts } from '../../words/mcpServers/checkWords.ts';
import { failureActions } from '../../words/failureActions.ts';
import type { PageSection } from '../../words/facts.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import type { PageAction } from '../../ui/detailsPage.ts';

export interface CheckPage {
  actions(entry: Entry): readonly PageAction[];
  sections(entry: Entry): readonly PageSection[];
}

export function checkPage(checks: ServerChecks, nameOf: NameOfService): CheckPage {
  return {
    actions: (entry) => {
      const { here, tools } = checks.of(entry);
      const steps = here?.result.kind === 'fails' ? failureActions(here.result.failure, entry) : [];
      const choose: PageAction = {
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
