/** Asks for the parts of a model. */
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import type { ModelCost, ModelDraft } from '../../service/abilities/models.ts';
import { agreesToExposure } from '../services/connectFlow.ts';
import {
  askAll,
  askPick,
  askText,
  back,
  type PickQuestion,
  type StepAnswer,
} from '../ui/steps.ts';
import { inPick } from '../words/foreignText.ts';
import {
  costFrom,
  modelNameProblem,
  suggestModelName,
} from '../words/modelWords.ts';
import { type PageAnswer, askService, type ModelPlace } from './modelPlace.ts';

type Position = Pick<
  PickQuestion<never>,
  'title' | 'step' | 'totalSteps' | 'hasBack'
>;

interface ModelChoice {
  readonly model: string;
  /** True if the service knows it, and so its cost. */
  readonly isKnown: boolean;
}

/** Asks for the provider and then for its model. */
export async function askForModel(
  place: ModelPlace,
  position: Position,
): PageAnswer<ModelChoice> {
  const { models } = place;
  const providers = await askService(place, (signal) =>
    models.providers({ signal }),
  );
  for (;;) {
    const answer =
      providers &&
      (await askForListed(
        position,
        t(
          'Provider. For a gateway or LM Studio, use openai; any name can be typed.',
        ),
        providers.map(({ name }) => name),
        providers.flatMap(({ name, recommended }) =>
          recommended.length > 0 ? [name] : [],
        ),
      ));
    if (typeof answer !== 'object') return answer;
    const provider = answer.value;
    const known = await askService(place, (signal) =>
      models.modelsOf(provider, { signal }),
    );
    if (!known) return undefined;
    const recommended =
      providers?.find(({ name }) => name === provider)?.recommended ?? [];
    const names = [...new Set([...recommended, ...known])];
    const chosen = await askForListed(
      { ...position, hasBack: true },
      t('Model of {0}. Any name can be typed.', inPick(provider)),
      names,
      recommended,
    );
    if (chosen === back) continue;
    if (!chosen) return undefined;
    const { value: name } = chosen;
    const model = name.startsWith(`${provider}/`)
      ? name
      : `${provider}/${name}`;
    return { value: { model, isKnown: names.includes(name) } };
  }
}

async function askForListed(
  position: Position,
  placeholder: string,
  names: readonly string[],
  recommended: readonly string[],
): PageAnswer<string> {
  const itemOf = (name: string) => ({
    label: inPick(name),
    description: recommended.includes(name) ? t('recommended') : '',
    value: name,
  });
  return await askPick({
    ...position,
    placeholder,
    items: names.map(itemOf),
    other: itemOf,
  });
}

/** Asks for a text, and reads the answer. */
async function askForText<T>(
  question: Omit<Parameters<typeof askText>[0], 'validate'>,
  read: (text: string) => T,
  problemOf: (text: string) => string | undefined,
): PageAnswer<T> {
  const answer = await askText({
    ...question,
    validate: (text) => problemOf(text.trim()),
  });
  return typeof answer === 'string' ? { value: read(answer.trim()) } : answer;
}

export function askForBaseUrl(
  position: Position,
  value: string | undefined,
): PageAnswer<string | undefined> {
  return askForText(
    {
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
    },
    (text) => text || undefined,
    (text) =>
      text === '' || /^https?:\/\/[^\s/]+/i.test(text)
        ? undefined
        : t('Enter an address that begins with http:// or https://.'),
  );
}

/** An empty answer stands for `otherwise`, or is refused without it. */
export async function askForSecret<T>(
  { service }: ModelPlace,
  position: Position,
  prompt: string,
  otherwise?: T,
): PageAnswer<Secret | T> {
  const answer = await askForText<Secret | T>(
    { ...position, value: '', prompt, hidden: true },
    (text) =>
      text === '' && otherwise !== undefined ? otherwise : new Secret(text),
    (text) =>
      text === '' && otherwise === undefined
        ? t('Enter the key, or press Escape.')
        : undefined,
  );
  const isNew = typeof answer === 'object' && answer.value instanceof Secret;
  return isNew && !(await agreesToExposure(new URL(service.address)))
    ? undefined
    : answer;
}

export function askForCost(
  position: Position,
  cost: ModelCost | undefined,
): PageAnswer<ModelCost | undefined> {
  return askForText(
    {
      ...position,
      value: cost ? `${cost.input}, ${cost.output}` : '',
      prompt: t(
        'Dollars per million tokens, for input and output. Leave empty if you do not know.',
      ),
      placeholder: '3, 15',
    },
    costFrom,
    (text) =>
      text === '' || costFrom(text)
        ? undefined
        : t('Enter two numbers, such as 3, 15.'),
  );
}

export function askForModelName(
  position: Position,
  value: string,
  taken: readonly string[],
): PageAnswer<string> {
  return askForText(
    { ...position, value, prompt: t('Name of the model at the service') },
    (text) => text,
    (text) => modelNameProblem(text, taken),
  );
}

/** Asks for a whole model. Resolves with `undefined` if canceled. */
export async function askForNewModel(
  place: ModelPlace,
  taken: readonly string[],
): Promise<{ readonly name: string; readonly draft: ModelDraft } | undefined> {
  let choice: ModelChoice = { model: '', isKnown: false };
  let baseUrl: string | undefined;
  let key: ModelDraft['key'] = 'none';
  let cost: ModelCost | undefined;
  let name = '';
  const at = (step: number) => ({ title: t('Add Model'), step, totalSteps: 5 });
  const keep = async <T>(
    question: PageAnswer<T>,
    take: (value: T) => void,
  ): Promise<StepAnswer> => {
    const answer = await question;
    if (typeof answer !== 'object') return answer;
    take(answer.value);
    return 'next';
  };
  const keyPrompt = t(
    'Key for the model. It goes to the service alone. Leave empty for none.',
  );
  const isDone = await askAll([
    () => keep(askForModel(place, at(1)), (value) => (choice = value)),
    () => keep(askForBaseUrl(at(2), baseUrl), (value) => (baseUrl = value)),
    () =>
      keep(
        askForSecret(place, at(3), keyPrompt, 'none' as const),
        (value) => (key = value),
      ),
    async () =>
      choice.isKnown
        ? 'skip'
        : await keep(askForCost(at(4), cost), (value) => (cost = value)),
    () =>
      keep(
        askForModelName(at(5), suggestModelName(choice.model, taken), taken),
        (value) => (name = value),
      ),
  ]);
  const { model, isKnown } = choice;
  // An unknown model may have been replaced after its cost was entered.
  const draft = { model, baseUrl, key, cost: isKnown ? undefined : cost };
  return isDone ? { name, draft } : undefined;
}
