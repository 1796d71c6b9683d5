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

/** The answers of a flow. */
interface AccessAnswers {
  address: string;
  authentication: Authentication;
  key: Secret;
}

/** Asks for a service and how to get in, tries it, and connects. */
export class ConnectFlow {
  readonly #connector: Connector;
  readonly #showConversations: () => Promise<void>;
  /** From the last time, so that nobody has to type them again. A key is only kept until its flow ends. */
  #last: Omit<AccessAnswers, 'key'> | undefined;

  constructor(connector: Connector, showConversations: () => Promise<void>) {
    this.#connector = connector;
    this.#showConversations = showConversations;
  }

  async run(): Promise<void> {
    const settings = { address: setting('service.url'), authentication: setting('service.authentication') };
    const answers: AccessAnswers = { ...(this.#last ?? settings), key: new Secret('') };
    const connected = await this.#connect(answers);
    this.#last = connected ? undefined : { address: answers.address, authentication: answers.authentication };
    if (connected) await this.#showConversations();
  }

  /** False when the user gives up. */
  async #connect(answers: AccessAnswers): Promise<boolean> {
    while (await askForAccess(answers)) {
      const address = serviceAddress(answers.address);
      const access = { address, authentication: answers.authentication, key: await this.#keyOf(answers) };
      if (access.key && !(await agreesToExposure(address))) continue;
      try {
        const found = await withProgress(t('Connecting to {0}', showAddress(address)), async (signal) =>
          (await this.#connector.client(access)).recognise({ signal }),
        );
        await this.#connector.use({ ...access, key: access.key === answers.key ? access.key : undefined });
        const shown = found.interface.toUpperCase();
        void showInformation(t('Connected to {0} ({1} interface).', showAddress(address), shown));
        return true;
      } catch (error) {
        const change = t('Change');
        if ((await showError(whyNot(error, address), change)) !== change) return false;
      }
    }
    return false;
  }

  async #keyOf({ address, authentication, key }: AccessAnswers): Promise<Secret | undefined> {
    if (authentication === 'none') return undefined;
    return key.reveal() === '' ? await this.#connector.keys.get(showAddress(serviceAddress(address))) : key;
  }
}

/** While one connects, there is nothing yet that another command could set a key for. */
function whyNot(error: unknown, address: URL): string {
  const isRefused = error instanceof ServiceError && error.failure.kind === 'unauthorised';
  if (!isRefused || error.failure.unsendable) return reason(error);
  return t('{0} refused access. Check the key and how it is sent.', showAddress(address));
}

async function askForAccess(answers: AccessAnswers): Promise<boolean> {
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
        placeholder: t('How to send the key'),
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
        value: answers.key.reveal(),
        hidden: true,
        prompt: t('Key. Leave empty to use the stored key, the one in SWITCHBOARD_API_KEY, or none.'),
      });
      if (answer === undefined || answer === back) return answer;
      answers.key = new Secret(typeof answer === 'string' ? answer.trim() : '');
      return 'next';
    },
  ]);
}
