/**
 * Connects a service: asks for its address and, if needed, its key; detects
 * everything else.
 */
import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import {
  isExposed,
  serviceAddress,
  showAddress,
} from '../../service/http/serviceAddress.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import {
  confirm,
  showError,
  showInformation,
  withProgress,
} from '../ui/messages.ts';
import { askText, askToKeepText, back, type StepAnswer } from '../ui/steps.ts';
import { serviceAt } from './configuredServices.ts';
import type { Connector, ServiceAccess } from './connector.ts';
import {
  type AgentService,
  interfaceName,
} from '../../service/abilities/agentService.ts';
import type { Authentication } from '../../service/http/transport.ts';

interface AccessAnswers {
  address: string;
  key: Secret;
}

interface KnownService {
  readonly url: URL;
  readonly name: string | undefined;
  readonly key: Secret | undefined;
}

export type Connect = (target?: KnownService) => Promise<void>;

export function connectFlow(
  connector: Connector,
  showConversations: () => Promise<void>,
): Connect {
  /** The address of the last failed flow. Keys are not kept. */
  let lastAddress = '';
  return async (target) => {
    const answers: AccessAnswers = {
      address: target ? showAddress(target.url) : lastAddress,
      key: target?.key ?? new Secret(''),
    };
    const connected = await connect(connector, answers, target);
    lastAddress = connected === undefined ? answers.address : '';
    if (connected === undefined) return;
    await showConversations();
    void showInformation(connected);
  };
}

/** The success message; undefined if given up. */
async function connect(
  connector: Connector,
  answers: AccessAnswers,
  target: KnownService | undefined,
): Promise<string | undefined> {
  let question: 'address' | 'key' | undefined = target ? undefined : 'address';
  for (;;) {
    if (question) {
      const answer =
        question === 'key'
          ? await askForKey(answers, answers.address, {
              title: t('Connect to a Service'),
              hasBack: true,
            })
          : await askForAddress(answers);
      if (answer === undefined) return undefined;
      if (answer === back) {
        question = 'address';
        continue;
      }
    }
    const typedUrl = serviceAddress(answers.address);
    const known = serviceAt(connector.configured, typedUrl);
    const url = known?.url ?? typedUrl;
    const address = showAddress(url);
    const stored =
      answers.key.reveal() === ''
        ? await connector.keys.get(address)
        : undefined;
    const key =
      stored ?? (answers.key.reveal() === '' ? undefined : answers.key);
    if (key && !(await agreesToExposure(url))) {
      question = 'address';
      continue;
    }
    try {
      const { access, service } = await withProgress(
        t('Connecting to {0}', address),
        (signal) =>
          findAuthentication(
            connector,
            { url, key, interface: known?.interface },
            signal,
          ),
      );
      await connector.keep(
        { ...access, key: stored ? undefined : key },
        target?.name,
      );
      return t(
        'Connected to {0} ({1}).',
        address,
        interfaceName(service.interface),
      );
    } catch (error) {
      question = isRefusal(error) ? 'key' : 'address';
      // The service has said that it needs a key.
      if (question === 'key' && !key) continue;
      if (!(await offersChange(error, address))) return undefined;
    }
  }
}

/** True if the key travels encrypted, or the user accepts that it does not. */
export async function agreesToExposure(url: URL): Promise<boolean> {
  if (!isExposed(url)) return true;
  return await confirm(
    t('The key would be sent to {0} without encryption.', showAddress(url)),
    t(
      'Anyone on the network can read it. Use an https:// address if the service has one.',
    ),
    t('Send It Anyway'),
  );
}

function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.failure.kind === 'unauthorised';
}

/** Shows a failure to connect. True if the user wants to change the answers. */
export async function offersChange(
  error: unknown,
  address: string,
): Promise<boolean> {
  const isWrongKey =
    isRefusal(error) &&
    error.failure.kind === 'unauthorised' &&
    !error.failure.unsendable;
  const change = t('Change');
  // The service's own message about a wrong key would lead back to the running
  // command.
  const message = isWrongKey
    ? t('{0} refused access. Check the key.', address)
    : reason(error);
  return (await showError(message, change)) === change;
}

async function askForAddress(answers: AccessAnswers): Promise<StepAnswer> {
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
  if (typeof answer !== 'string') return undefined;
  // A key belongs to one address.
  answers.key = new Secret('');
  answers.address = answer;
  return 'next';
}

export async function askForKey(
  answers: { key: Secret },
  place: string,
  position: { readonly title: string; readonly hasBack?: boolean },
): Promise<StepAnswer> {
  return await askToKeepText(
    {
      ...position,
      stays: true,
      hidden: true,
      value: answers.key.reveal(),
      prompt: t(
        'Key of {0}. It is stored in the secret storage of VS Code.',
        place,
      ),
      validate: (text) =>
        text.trim() === '' ? t('Enter the key, or press Escape.') : undefined,
    },
    (text) => {
      answers.key = new Secret(text.trim());
    },
  );
}

/** Nearly all services accept the first, and some only that. */
const authentications = ['sessionKey', 'bearer', 'accessToken'] as const;

/** Tries the ways to send a key. Rejects with the first refusal. */
export async function findAuthentication(
  connector: Connector,
  { key, ...place }: Omit<ServiceAccess, 'authentication'>,
  signal: AbortSignal,
): Promise<{ readonly access: ServiceAccess; readonly service: AgentService }> {
  let refusal: unknown;
  const possible: readonly Authentication[] = key ? authentications : ['none'];
  for (const authentication of possible) {
    const access = { ...place, authentication, key };
    try {
      const client = await connector.client(access);
      return { access, service: await client.recognise({ signal }) };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'unauthorised')
        throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}
