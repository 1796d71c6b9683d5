/** Adding a service: asks for its address, for its key if the service wants one, and detects everything else. */
import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import { isExposed, serviceAddress, showAddress } from '../../service/serviceAddress.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { confirm, showError, showInformation, withProgress } from '../ui/messages.ts';
import { askText, back } from '../ui/steps.ts';
import type { Connector } from './connector.ts';
import { wayIn } from './wayIn.ts';
import { interfaceName } from '../../service/agentService.ts';

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
    let question: 'address' | 'key' | undefined = known ? undefined : 'address';
    for (;;) {
      const answer = question && (await (question === 'key' ? askForKey : askForAddress)(answers));
      if (answer === 'givenUp') return undefined;
      if (answer === back) {
        question = 'address';
        continue;
      }
      const url = serviceAddress(answers.address);
      const address = showAddress(url);
      const stored = answers.key.reveal() === '' ? await this.#connector.keys.get(address) : undefined;
      const key = stored ?? (answers.key.reveal() === '' ? undefined : answers.key);
      if (key && !(await agreesToExposure(url))) {
        question = 'address';
        continue;
      }
      try {
        const { access, service } = await withProgress(t('Connecting to {0}', address), (signal) =>
          wayIn(this.#connector, { url, key }, signal),
        );
        await this.#connector.keep({ ...access, key: stored ? undefined : key }, known?.name);
        return t('Connected to {0} ({1}).', address, interfaceName(service.interface));
      } catch (error) {
        question = isRefusal(error) ? 'key' : 'address';
        // The service itself tells whether it needs a key.
        if (question === 'key' && !key) continue;
        const change = t('Change');
        if ((await showError(whyNot(error, address), change)) !== change) return undefined;
      }
    }
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

type Answered = 'next' | typeof back | 'givenUp';

async function askForAddress(answers: AccessAnswers): Promise<Answered> {
  const answer = await askText({
    title: t('Connect to a Service'),
    stays: true,
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
  if (typeof answer !== 'string') return 'givenUp';
  // A key goes only to the address that it was entered for.
  answers.key = new Secret('');
  answers.address = answer;
  return 'next';
}

async function askForKey(answers: AccessAnswers): Promise<Answered> {
  const answer = await askText({
    title: t('Connect to a Service'),
    stays: true,
    hasBack: true,
    value: answers.key.reveal(),
    hidden: true,
    prompt: t('Key of {0}. It is stored in the secret storage of VS Code.', answers.address),
    validate: (text) => (text.trim() === '' ? t('Enter the key, or press Escape.') : undefined),
  });
  if (answer === back) return back;
  if (typeof answer !== 'string') return 'givenUp';
  answers.key = new Secret(answer.trim());
  return 'next';
}
