import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import { serviceAddress, showAddress } from '../../service/address.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { Authentication } from '../../service/transport.ts';
import type { Connector } from '../connection/connector.ts';
import { showError, showInformation, withProgress } from '../asking/messages.ts';
import { setting } from '../settings.ts';
import { askAll, askPick, askText, back } from '../asking/steps.ts';
import { agreesToExposure, allWays } from './access.ts';

/** What was typed the last time, so that a failure costs nobody their typing. */
interface Draft {
  address: string;
  authentication: Authentication;
  key: string;
}

let draft: Draft | undefined;

/** Asks for a service and how to get in, tries it, and connects. */
export async function connect(connector: Connector, showConversations: () => Promise<void>): Promise<void> {
  for (;;) {
    draft ??= { address: setting('service.url'), authentication: setting('service.authentication'), key: '' };
    if (!(await askForAccess(draft))) return;
    const address = serviceAddress(draft.address);
    const typed = draft.key.trim();
    const key = typed === '' ? await connector.keys.get(showAddress(address)) : new Secret(typed);
    const access = {
      address,
      authentication: draft.authentication,
      key: draft.authentication === 'none' ? undefined : key,
    };
    if (access.key && !(await agreesToExposure(address))) continue;
    try {
      const { interface: found } = await withProgress(
        t('Connecting to {0}', showAddress(address)),
        async (signal) => (await connector.client(access)).recognise({ signal }),
      );
      await connector.use({ ...access, key: typed === '' ? undefined : access.key });
      draft = undefined;
      void showInformation(t('Connected to {0} ({1} interface).', showAddress(address), found.toUpperCase()));
      await showConversations();
      return;
    } catch (error) {
      const change = t('Change');
      if ((await showError(whyNot(error, address), change)) !== change) return;
    }
  }
}

/** While one connects, there is nothing yet that another command could set a key for. */
function whyNot(error: unknown, address: URL): string {
  const isRefused = error instanceof ServiceError && error.failure.kind === 'unauthorised';
  if (!isRefused || error.failure.unsendable) return reason(error);
  return t('{0} refused access. Check the key, and how it is sent.', showAddress(address));
}

async function askForAccess(answers: Draft): Promise<boolean> {
  const title = t('Connect to a Service');
  const totalSteps = 3;
  return await askAll([
    async () => {
      const answer = await askText({
        title,
        step: 1,
        totalSteps,
        value: answers.address,
        prompt: t('Address of the service'),
        placeholder: 'https://agents.example.com',
        validate: (text) => {
          try {
            serviceAddress(text);
            return undefined;
          } catch (error) {
            return reason(error);
          }
        },
      });
      if (typeof answer !== 'string') return undefined;
      answers.address = answer;
      return 'next';
    },
    async () => {
      const ways = allWays();
      const answer = await askPick({
        title,
        step: 2,
        totalSteps,
        items: ways,
        active: ways.find(({ authentication }) => authentication === answers.authentication),
        placeholder: t('How the key is sent'),
      });
      if (answer === undefined || answer === back) return answer;
      answers.authentication = answer.authentication;
      return 'next';
    },
    async () => {
      if (answers.authentication === 'none') return 'skip';
      const answer = await askText({
        title,
        step: 3,
        totalSteps,
        value: answers.key,
        hidden: true,
        prompt: t('Key. Leave it empty to use the one that is stored, that of SWITCHBOARD_API_KEY, or none.'),
      });
      if (answer === undefined || answer === back) return answer;
      answers.key = typeof answer === 'string' ? answer : '';
      return 'next';
    },
  ]);
}
