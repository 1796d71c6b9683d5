/** Asks before a program is started or an address is asked for a check, once for each content of an entry. */
import { UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import type { ServerChecks } from '../../../state/mcpServers/serverChecks.ts';
import { confirmLines } from '../../ui/confirmLines.ts';
import { agreementQuestion } from '../../words/mcpServers/agreementWords.ts';

/** A command line that is longer is not shown whole anywhere. */
const longestShown = 9_000;

/** True when the person agrees to all of them. */
export async function agreeTo(
  checks: ServerChecks,
  entries: readonly Entry[],
  isSaved: boolean,
): Promise<boolean> {
  const asked = entries.map((entry) => ({ entry, changes: checks.of(entry).changes }));
  const { question, lines } = agreementQuestion(asked, isSaved);
  if (lines.some(({ length }) => length > longestShown)) {
    throw new UserError(
      t('A command line is longer than can be shown, so nothing is checked. Shorten it in the file.'),
    );
  }
  const isAgreed = await confirmLines({
    ...{ question, lines },
    button: t('Check'),
    title: t('What a check starts and asks'),
    beside: t('What is started and asked is shown in the editor'),
  });
  if (isAgreed) await checks.agree(entries);
  return isAgreed;
}
