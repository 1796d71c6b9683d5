import { type QuickPickItem, ThemeIcon } from 'vscode';
import { t } from '../../base/l10n.ts';
import type {
  ListedModel,
  ModelDraft,
  ModelList,
  Models,
} from '../../service/abilities/models.ts';
import {
  confirm,
  offerUndo,
  showInformation,
  unlessCancelled,
} from '../ui/messages.ts';
import { back } from '../ui/steps.ts';
import { inPick } from '../words/foreignText.ts';
import { costWord, keyWord, shownAddress } from '../words/modelWords.ts';
import {
  type PageAnswer,
  questionPage,
  askService,
  type ModelPage,
  type ModelPlace,
  type PageItems,
  pickPage,
  removalPage,
} from './modelPlace.ts';
import {
  askForBaseUrl,
  askForCost,
  askForModel,
  askForModelName,
  askForNewModel,
  askForSecret,
} from './modelQuestions.ts';

/** The outcome of a test: the complaint of the model, if it has one. */
interface Tested {
  readonly complaint: string | undefined;
}

/** Adds a model, makes it the default if there is none, and tests it if it can. */
export function addModelPage(place: ModelPlace, list: ModelList): ModelPage {
  return async () => {
    const added = await askForNewModel(
      place,
      list.models.map(({ name }) => name),
    );
    if (!added) return undefined;
    const { name, draft } = added;
    const isDefault =
      list.unlistedDefault === undefined &&
      !list.models.some((model) => model.isDefault);
    await askService(place, async (signal) => {
      await place.models.save(name, draft, { signal });
      if (isDefault) await place.models.makeDefault(name, { signal });
    });
    const { model, baseUrl } = draft;
    const listed = { name, model, baseUrl, isDefault };
    const { test } = place.models;
    return test ? testPage(place, listed, list, draft, test) : place.home;
  };
}

/** `tested` is the outcome of a test of the model as it is. */
export function modelPage(
  place: ModelPlace,
  listed: ListedModel,
  list: ModelList,
  tested?: Tested,
): ModelPage {
  const { models, home } = place;
  const { name } = listed;
  const title = t('Model “{0}”', name);
  const position = { title, hasBack: true };
  const taken = list.models.map((model) => model.name);

  const here: ModelPage = async () => {
    const draft = await askService(place, (signal) =>
      models.read(name, { signal }),
    );
    if (!draft) return undefined;
    const placeholder = listed.isDefault
      ? t('New conversations use this model')
      : t('Select what to do');
    return await pickPage(
      { title, placeholder, items: itemsOf(draft) },
      here,
      home,
    );
  };

  /** Asks for a change, and saves the model with it. */
  const edit = <T>(
    draft: ModelDraft,
    question: () => PageAnswer<T>,
    change: (value: T) => Partial<ModelDraft>,
  ): ModelPage =>
    questionPage(
      place,
      here,
      async () => {
        const answer = await question();
        if (typeof answer !== 'object') return answer;
        return await withKey(
          place,
          title,
          { ...draft, ...change(answer.value) },
          draft,
        );
      },
      (changed, signal) => models.save(name, changed, { signal }),
      modelPage(place, listed, list),
    );

  const itemsOf = (draft: ModelDraft): PageItems => [
    models.test && {
      ...(tested ? outcomeItem(tested) : action('beaker', t('Test'))),
      description: tested ? t('Test again') : t('Asks the model once'),
      next: testPage(place, listed, list, draft, models.test),
    },
    !listed.isDefault && {
      ...action('star', t('Make Default'), t('For new conversations')),
      next: makeDefaultPage(place, listed, list),
    },
    {
      ...action('symbol-class', t('Change Model…'), draft.model),
      next: edit(
        draft,
        () => askForModel(place, position),
        ({ model }) => ({ model }),
      ),
    },
    {
      ...action(
        'link',
        t('Base URL…'),
        draft.baseUrl ? shownAddress(draft.baseUrl) : t("the provider's own"),
      ),
      next: edit(
        draft,
        () => askForBaseUrl(position, draft.baseUrl),
        (baseUrl) => ({ baseUrl }),
      ),
    },
    {
      ...action('key', t('Key…'), keyWord(draft.key)),
      next: edit(
        draft,
        () =>
          askForSecret(
            place,
            position,
            t('The new key. Leave empty to have none.'),
            'none' as const,
          ),
        (key) => ({ key }),
      ),
    },
    {
      ...action('credit-card', t('Cost…'), costWord(draft.cost)),
      next: edit(
        draft,
        () => askForCost(position, draft.cost),
        (cost) => ({ cost }),
      ),
    },
    {
      ...action('edit', t('Rename…')),
      next: questionPage(
        place,
        here,
        () =>
          askForModelName(
            position,
            name,
            taken.filter((other) => other !== name),
          ),
        (newName, signal) => models.rename(name, newName, { signal }),
        home,
      ),
    },
    {
      ...action('copy', t('Copy…')),
      next: questionPage(
        place,
        here,
        async () => {
          const copy = await askForModelName(position, `${name}-2`, taken);
          if (typeof copy !== 'object') return copy;
          const answer = await withKey(place, title, underAnotherName(draft));
          return typeof answer === 'object'
            ? { value: { name: copy.value, draft: answer.value } }
            : answer;
        },
        (copy, signal) => models.save(copy.name, copy.draft, { signal }),
        home,
      ),
    },
    {
      ...action('trash', t('Remove…')),
      next: removeModelPage(place, listed, draft),
    },
  ];
  return here;
}

function action(icon: string, label: string, description = ''): QuickPickItem {
  return {
    label,
    iconPath: new ThemeIcon(icon),
    description: inPick(description),
  };
}

function outcomeItem({ complaint }: Tested): QuickPickItem {
  return complaint === undefined
    ? {
        ...action('pass', t('The test passed')),
        detail: t(
          'The service also passes a model that is too busy or too slow to answer.',
        ),
      }
    : { ...action('error', t('The test failed')), detail: inPick(complaint) };
}

/**
 * Asks for the key again if the service does not return it, or if the stored
 * one would go to another place.
 */
async function withKey(
  place: ModelPlace,
  title: string,
  draft: ModelDraft,
  before = draft,
): PageAnswer<ModelDraft> {
  const position = { title, hasBack: true };
  const { key } = draft;
  const isStored = key === 'kept' || key === 'bound';
  const isMoved = isStored && receiverOf(draft) !== receiverOf(before);
  if (key !== 'lost' && !isMoved) return { value: draft };
  const answer = isMoved
    ? await askForSecret(
        place,
        position,
        t(
          'Key for {0}. Leave empty to send the stored key there.',
          draft.baseUrl ? shownAddress(draft.baseUrl) : draft.model,
        ),
        key,
      )
    : await askForSecret<never>(
        place,
        position,
        t(
          'Enter the key again: the service does not return it. An Agent Server that is started with OH_SECRET_KEY does, in encrypted form.',
        ),
      );
  return typeof answer === 'object'
    ? { value: { ...draft, key: answer.value } }
    : answer;
}

/** A draft for another name, to which some services do not move the key. */
function underAnotherName(draft: ModelDraft): ModelDraft {
  return draft.key === 'bound' ? { ...draft, key: 'lost' } : draft;
}

/** The origin or the provider that gets the key. */
function receiverOf({ baseUrl, model }: ModelDraft): string | undefined {
  return baseUrl ? URL.parse(baseUrl)?.origin : model.split('/')[0];
}

function testPage(
  place: ModelPlace,
  listed: ListedModel,
  list: ModelList,
  saved: ModelDraft,
  test: NonNullable<Models['test']>,
): ModelPage {
  return async () => {
    const { name } = listed;
    const draft = await withKey(place, t('Test “{0}”', name), saved);
    if (draft === back) return modelPage(place, listed, list);
    if (!draft) return undefined;
    const tested = await unlessCancelled(
      t('Asking the model “{0}”', name),
      async (signal) => ({
        complaint: await test(name, draft.value, { signal }),
      }),
    );
    return modelPage(place, listed, list, tested);
  };
}

function makeDefaultPage(
  place: ModelPlace,
  { name }: ListedModel,
  list: ModelList,
): ModelPage {
  return async () => {
    const before = list.models.find(({ isDefault }) => isDefault)?.name;
    const make = (model: string) =>
      askService(place, (signal) =>
        place.models.makeDefault(model, { signal }),
      );
    await make(name);
    const done = t('New conversations use the model “{0}”.', name);
    if (before === undefined) void showInformation(done);
    else offerUndo(done, () => make(before));
    return place.home;
  };
}

function removeModelPage(
  { models, ...place }: ModelPlace,
  { name, isDefault }: ListedModel,
  draft: ModelDraft,
): ModelPage {
  const canUndo = underAnotherName(draft).key !== 'lost';
  const detail = [
    t('Conversations that use it keep it.'),
    isDefault && t('The service may choose another one for new conversations.'),
    !canUndo &&
      t(
        'This cannot be undone: its key is lost, because the service does not return it.',
      ),
  ];
  const question = t('Remove the model “{0}”?', name);
  return removalPage(
    () => confirm(question, detail, t('Remove')),
    async () => {
      await askService(place, (signal) => models.remove(name, { signal }));
      const done = t('Removed the model “{0}”.', name);
      if (canUndo) offerUndo(done, () => models.save(name, draft));
      else void showInformation(done);
    },
  );
}
