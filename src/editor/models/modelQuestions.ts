/** Asks for the parts of a model. */
import type { QuickPickItem } from 'vscode';
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import type { ModelCost, ModelDraft } from '../../service/abilities/models.ts';
import { agreesToExposure } from '../services/connectFlow.ts';
import { unlessCancelled } from '../ui/messages.ts';
import {
  askAll,
  askPick,
  askText,
  back,
  type StepAnswer,
} from '../ui/steps.ts';
import { inPick } from '../words/foreignText.ts';
import {
  costFrom,
  modelNameProblem,
  suggestModelName,
} from '../words/modelWords.ts';
import type { ModelPlace } from './modelPlace.ts';

interface Position {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly hasBack?: boolean;
}

/** The answer of the user; undefined if canceled. */
type Answer<T> = Promise<{ readonly value: T } | typeof back | undefined>;

interface ModelChoice {
  readonly model: string;
  /** True if the service knows it, and so its cost. */
  readonly isKnown: boolean;
}

type NameItem = QuickPickItem & { readonly name: string };

/** Asks for the provider and then for its model. */
export async function askForModel(
  { models, service }: ModelPlace,
  position: Position,
): Answer<ModelChoice> {
  const providers = await unlessCancelled(
    t('Loading the providers that {0} knows', service.name),
    (signal) => models.providers({ signal }),
  );
  if (!providers) return undefined;
  let provider = '';
  let choice: ModelChoice | undefined;
  const askForProvider = async (): Promise<StepAnswer> => {
    const answer = await askPick({
      ...position,
      items: providers.map(({ name, recommended }) => ({
        ...nameItem(name),
        description: recommended.length > 0 ? t('recommended') : '',
      })),
      placeholder: t(
        'Provider. For a gateway or LM Studio, use openai; any name can be typed.',
      ),
      other: nameItem,
    });
    if (answer === undefined || answer === back) return answer;
    provider = answer.name;
    return 'next';
  };
  const askForName = async (): Promise<StepAnswer> => {
    const known = await unlessCancelled(
      t('Loading the models of {0}', provider),
      (signal) => models.modelsOf(provider, { signal }),
    );
    if (!known) return undefined;
    const recommended =
      providers.find(({ name }) => name === provider)?.recommended ?? [];
    const names = [...new Set([...recommended, ...known])];
    const answer = await askPick({
      ...position,
      hasBack: true,
      items: names.map((name) => ({
        ...nameItem(name),
        description: recommended.includes(name) ? t('recommended') : '',
      })),
      placeholder:
        names.length > 0
          ? t('Model of {0}. Any name can be typed.', inPick(provider))
          : t('Type the name of the model at {0}', inPick(provider)),
      other: nameItem,
    });
    if (answer === undefined || answer === back) return answer;
    const { name } = answer;
    const isWhole = name.startsWith(`${provider}/`);
    choice = {
      model: isWhole ? name : `${provider}/${name}`,
      isKnown: names.includes(name),
    };
    return 'next';
  };
  // Back from the first question leads to the one before this.
  for (let at = 0; ;) {
    const first = at === 0 ? await askForProvider() : 'next';
    if (first !== 'next') return first;
    const second = await askForName();
    if (second === undefined) return undefined;
    if (second === 'next' && choice) return { value: choice };
    at = 0;
  }
}

function nameItem(name: string): NameItem {
  return { label: inPick(name), name };
}

export async function askForBaseUrl(
  position: Position,
  value: string | undefined,
): Answer<string | undefined> {
  const answer = await askText({
    ...position,
    value: value ?? '',
    prompt: t(
      "Base URL, as the machine of the service reaches it. Leave empty for the provider's own.",
    ),
    placeholder: t(
      'Ollama: {0}, LM Studio: {1}, gateway: {2}',
      'http://localhost:11434',
      'http://localhost:1234/v1',
      'https://llm.example.com/v1',
    ),
    validate: (text) =>
      text.trim() === '' || /^https?:\/\/[^\s/]+/i.test(text.trim())
        ? undefined
        : t('Enter an address that begins with http:// or https://.'),
  });
  if (typeof answer !== 'string') return answer;
  return { value: answer.trim() || undefined };
}

/** An empty answer stands for `otherwise`, or is refused without it. */
export async function askForSecret<T>(
  { service }: ModelPlace,
  position: Position,
  prompt: string,
  otherwise?: T,
): Answer<Secret | T> {
  const answer = await askText({
    ...position,
    value: '',
    prompt,
    hidden: true,
    validate: (text) =>
      text.trim() === '' && otherwise === undefined
        ? t('Enter the key, or press Escape.')
        : undefined,
  });
  if (typeof answer !== 'string') return answer;
  const key = answer.trim();
  if (key === '')
    return otherwise === undefined ? undefined : { value: otherwise };
  return (await agreesToExposure(new URL(service.address)))
    ? { value: new Secret(key) }
    : undefined;
}

export async function askForCost(
  position: Position,
  cost: ModelCost | undefined,
): Answer<ModelCost | undefined> {
  const answer = await askText({
    ...position,
    value: cost ? `${cost.input}, ${cost.output}` : '',
    prompt: t(
      'Dollars per million tokens, for input and output. Leave empty if you do not know.',
    ),
    placeholder: '3, 15',
    validate: (text) =>
      text.trim() === '' || costFrom(text)
        ? undefined
        : t('Enter two numbers, such as 3, 15.'),
  });
  if (typeof answer !== 'string') return answer;
  return { value: costFrom(answer) };
}

export async function askForModelName(
  position: Position,
  value: string,
  taken: readonly string[],
): Answer<string> {
  const answer = await askText({
    ...position,
    value,
    prompt: t('Name of the model at the service'),
    validate: (text) => modelNameProblem(text.trim(), taken),
  });
  return typeof answer === 'string' ? { value: answer.trim() } : answer;
}

/** Asks for a whole model. Resolves with `undefined` if canceled. */
export async function askForNewModel(
  place: ModelPlace,
  taken: readonly string[],
): Promise<{ readonly name: string; readonly draft: ModelDraft } | undefined> {
  const title = t('Add Model');
  const totalSteps = 5;
  let choice: ModelChoice = { model: '', isKnown: false };
  let baseUrl: string | undefined;
  let key: ModelDraft['key'] = 'none';
  let cost: ModelCost | undefined;
  let name = '';
  const at = (step: number) => ({ title, step, totalSteps });
  const keep = async <T>(
    question: Answer<T>,
    take: (value: T) => void,
  ): Promise<StepAnswer> => {
    const answer = await question;
    if (answer === undefined || answer === back) return answer;
    take(answer.value);
    return 'next';
  };
  const isDone = await askAll([
    () =>
      keep(askForModel(place, at(1)), (value) => {
        choice = value;
      }),
    () =>
      keep(askForBaseUrl(at(2), baseUrl), (value) => {
        baseUrl = value;
      }),
    () =>
      keep(
        askForSecret(
          place,
          at(3),
          t(
            'Key for the model. It goes to the service alone. Leave empty for none.',
          ),
          'none' as const,
        ),
        (value) => {
          key = value;
        },
      ),
    async () =>
      choice.isKnown
        ? 'skip'
        : await keep(askForCost(at(4), cost), (value) => {
            cost = value;
          }),
    () =>
      keep(
        askForModelName(
          at(5),
          name || suggestModelName(choice.model, taken),
          taken,
        ),
        (value) => {
          name = value;
        },
      ),
  ]);
  const { model } = choice;
  return isDone ? { name, draft: { model, baseUrl, key, cost } } : undefined;
}
