/** Adding a service: asks for its address and its key, and detects everything else. */
import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import { isExposed, serviceAddress, showAddress } from '../../service/serviceAddress.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { confirm, showError, showInformation, withProgress } from '../asking/messages.ts';
import { askAll, askText, back } from '../asking/steps.ts';
import type { Connector } from '../connection/connector.ts';
import { wayIn } from '../connection/wayIn.ts';
import { interfaceName } from '../../service/interfaceName.ts';

/** The answers of a flow. */
interface AccessAnswers {
  address: string;
  key: Secret;
}

/** The known facts about a service before anybody is asked. */
interface KnownService {
  readonly url: URL;
  readonly name?: string;
  readonly key?: Secret | undefined;
}

export class ConnectFlow {
  readonly #connector: Connector;
  readonly #showConversations: () => Promise<void>;
  /** From the last time, so that nobody has to type it again. A key is only kept until its flow ends. */
  #lastAddress = '';

  constructor(connector: Connector, showConversations: () => Promise<void>) {
    this.#connector = connector;
    this.#showConversations = showConversations;
  }

  /** Asks for a service and its key, tries it, and connects. With a known one, asks only what it has to. */
  async run(known?: KnownService): Promise<void> {
    const answers: AccessAnswers = {
      address: known ? showAddress(known.url) : this.#lastAddress,
      key: known?.key ?? new Secret(''),
    };
    const connected = await this.#connect(answers, known);
    this.#lastAddress = connected === undefined ? answers.address : '';
    if (connected === undefined) return;
    await this.#showConversations();
    void showInformation(connected);
  }

  /** What to say of the connection; undefined when the user gives up. */
  async #connect(answers: AccessAnswers, known?: KnownService): Promise<string | undefined> {
    let isAsked = known === undefined;
    while (!isAsked || (await askForAccess(answers, known ? 1 : 0))) {
      isAsked = true;
      const url = serviceAddress(answers.address);
      const address = showAddress(url);
      const stored = answers.key.reveal() === '' ? await this.#connector.keys.get(address) : undefined;
      const key = stored ?? (answers.key.reveal() === '' ? undefined : answers.key);
      if (key && !(await agreesToExposure(url))) continue;
      try {
        const { access, service } = await withProgress(t('Connecting to {0}', address), (signal) =>
          wayIn(this.#connector, { url, key }, signal),
        );
        await this.#connector.keep({ ...access, key: stored ? undefined : key }, known?.name);
        return t('Connected to {0} ({1}).', address, interfaceName(service.interface));
      } catch (error) {
        // The service itself tells whether it needs a key.
        if (known && isRefusal(error) && !key) continue;
        const change = t('Change');
        if ((await showError(whyNot(error, address), change)) !== change) return undefined;
      }
    }
    return undefined;
  }
}

/** True when the key cannot be read on its way, or the user sends it anyway. */
export async function agreesToExposure(url: URL): Promise<boolean> {
  if (!isExposed(url)) return true;
  return await confirm(
    t('The key would be sent to {0} without encryption.', showAddress(url)),
    t('Anyone on the network can read it. Use an https:// address if the service has one.'),
    t('Send It Anyway'),
  );
}

function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.failure.kind === 'unauthorised';
}

/** Why a service could not be connected with what was entered. Its own words would lead to the command that runs. */
export function whyNot(error: unknown, address: string): string {
  if (!isRefusal(error) || (error.failure.kind === 'unauthorised' && error.failure.unsendable)) {
    return reason(error);
  }
  return t('{0} refused access. Check the key.', address);
}

async function askForAccess(answers: AccessAnswers, first: number): Promise<boolean> {
  const title = t('Connect to a Service');
  const totalSteps = 2;
  return await askAll(
    [
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
        const answer = await askText({
          title,
          step: 2,
          totalSteps,
          value: answers.key.reveal(),
          hidden: true,
          prompt: t('Key of the service. Leave empty to use the stored key, or none.'),
        });
        if (answer === undefined || answer === back) return answer;
        answers.key = new Secret(typeof answer === 'string' ? answer.trim() : '');
        return 'next';
      },
    ],
    first,
  );
}
