import { type QuickPickItem, ThemeIcon } from 'vscode';
import { t } from '../../base/l10n.ts';
import type {
  ListedModel,
  ModelDraft,
  ModelList,
} from '../../service/abilities/models.ts';
import {
  confirm,
  offerUndo,
  showInformation,
  unlessCancelled,
  withProgress,
} from '../ui/messages.ts';
import { back } from '../ui/steps.ts';
import { inPick } from '../words/foreignText.ts';
import { costWord, keyWord, shownAddress } from '../words/modelWords.ts';
import { type ModelPage, type ModelPlace, pickPage } from './modelPlace.ts';
import {
  askForBaseUrl,
  askForCost,
  askForSecret,
  askForModel,
  askForModelName,
  askForNewModel,
} from './modelQuestions.ts';

/** The outcome of a test: the complaint of the model, if it has one. */
interface Tested {
  readonly complaint: string | undefined;
}

/** Adds a model, makes it the default if there is none, and tests it. */
export function addModelPage(place: ModelPlace, list: ModelList): ModelPage {
  return async () => {
    const taken = list.models.map(({ name }) => name);
    const added = await askForNewModel(place, taken);
    if (!added) return undefined;
    const { name, draft } = added;
    const isDefault = !list.models.some((model) => model.isDefault);
    await withProgress(t('Saving the model “{0}”', name), async (signal) => {
      await place.models.save(name, draft, { signal });
      if (isDefault) await place.models.makeDefault(name, { signal });
    });
    const { model, baseUrl } = draft;
    const listed = { name, model, baseUrl, isDefault };
    return await testPage(place, listed, list, draft)();
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

  const here: ModelPage = async () => {
    const draft = await unlessCancelled(
      t('Loading the model “{0}”', name),
      (signal) => models.read(name, { signal }),
    );
    if (!draft) return undefined;
    const placeholder = listed.isDefault
      ? t('New conversations use this model')
      : t('Select what to do');
    return await pickPage(
      { title, placeholder, items: items(draft) },
      here,
      home,
    );
  };

  /** Asks for a change, saves the model with it, and comes back. */
  const edit =
    <T>(
      draft: ModelDraft,
      question: () => Promise<{ readonly value: T } | typeof back | undefined>,
      change: (value: T) => Partial<ModelDraft>,
    ): ModelPage =>
    async () => {
      const answer = await question();
      if (answer === back) return here;
      if (!answer) return undefined;
      const changed = await withKey(place, position, draft, {
        ...draft,
        ...change(answer.value),
      });
      if (changed === back) return here;
      if (!changed) return undefined;
      await withProgress(t('Saving the model “{0}”', name), (signal) =>
        models.save(name, changed, { signal }),
      );
      return modelPage(place, listed, list);
    };

  const items = (draft: ModelDraft) => [
    {
      ...(tested ? outcomeItem(tested) : action('beaker', t('Test'))),
      description: tested ? t('Test again') : t('Asks the model once'),
      next: testPage(place, listed, list, draft),
    },
    ...(listed.isDefault
      ? []
      : [
          {
            ...action('star', t('Make Default')),
            description: t('For new conversations'),
            next: makeDefaultPage(place, listed, list),
          },
        ]),
    {
      ...action('symbol-class', t('Change Model…')),
      description: inPick(draft.model),
      next: edit(
        draft,
        () => askForModel(place, position),
        ({ model }) => ({ model }),
      ),
    },
    {
      ...action('link', t('Base URL…')),
      description: draft.baseUrl
        ? inPick(shownAddress(draft.baseUrl))
        : t("the provider's own"),
      next: edit(
        draft,
        () => askForBaseUrl(position, draft.baseUrl),
        (baseUrl) => ({ baseUrl }),
      ),
    },
    {
      ...action('key', t('Key…')),
      description: keyWord(draft.key),
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
      ...action('credit-card', t('Cost…')),
      description: costWord(draft.cost),
      next: edit(
        draft,
        () => askForCost(position, draft.cost),
        (cost) => ({ cost }),
      ),
    },
    { ...action('edit', t('Rename…')), next: renamePage(place, listed, list) },
    {
      ...action('copy', t('Copy…')),
      next: copyPage(place, listed, list, draft),
    },
    { ...action('trash', t('Remove…')), next: removePage(place, name, draft) },
  ];
  return here;
}

function action(icon: string, label: string): QuickPickItem {
  return { label, iconPath: new ThemeIcon(icon) };
}

function outcomeItem({ complaint }: Tested): QuickPickItem {
  return complaint === undefined
    ? action('pass', t('The model answered'))
    : {
        ...action('error', t('The test failed')),
        detail: inPick(complaint),
      };
}

/**
 * Asks for the key again if the service does not return it, or if the stored
 * one would go to another place.
 */
async function withKey(
  place: ModelPlace,
  position: { readonly title: string; readonly hasBack: boolean },
  before: ModelDraft,
  draft: ModelDraft,
): Promise<ModelDraft | typeof back | undefined> {
  if (draft.key === 'lost') {
    const prompt = t(
      'Enter the key again: the service does not return it, even encrypted. One that is started with OH_SECRET_KEY does.',
    );
    const answer = await askForSecret<never>(place, position, prompt);
    return typeof answer === 'object'
      ? { ...draft, key: answer.value }
      : answer;
  }
  if (draft.key !== 'kept' || receiverOf(draft) === receiverOf(before))
    return draft;
  const prompt = t(
    'Key for {0}. Leave empty to send the stored key there.',
    draft.baseUrl ? shownAddress(draft.baseUrl) : draft.model,
  );
  const answer = await askForSecret(place, position, prompt, 'kept' as const);
  return typeof answer === 'object' ? { ...draft, key: answer.value } : answer;
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
): ModelPage {
  return async () => {
    const { name } = listed;
    const position = { title: t('Test “{0}”', name), hasBack: true };
    const draft = await withKey(place, position, saved, saved);
    if (draft === back) return modelPage(place, listed, list);
    if (!draft) return undefined;
    const tested = await unlessCancelled(
      t('Asking the model “{0}”', name),
      async (signal) => ({
        complaint: await place.models.test(name, draft, { signal }),
      }),
    );
    return modelPage(place, listed, list, tested);
  };
}

function makeDefaultPage(
  { models, home }: ModelPlace,
  { name }: ListedModel,
  list: ModelList,
): ModelPage {
  return async () => {
    const before = list.models.find(({ isDefault }) => isDefault)?.name;
    const make = (model: string) =>
      withProgress(t('Making “{0}” the default', model), (signal) =>
        models.makeDefault(model, { signal }),
      );
    await make(name);
    const done = t('New conversations use the model “{0}”.', name);
    if (before === undefined) void showInformation(done);
    else offerUndo(done, () => make(before));
    return home;
  };
}

function renamePage(
  place: ModelPlace,
  listed: ListedModel,
  list: ModelList,
): ModelPage {
  const { models, home } = place;
  const { name } = listed;
  return async () => {
    const taken = list.models.map((model) => model.name);
    const answer = await askForModelName(
      { title: t('Rename “{0}”', name), hasBack: true },
      name,
      taken.filter((other) => other !== name),
    );
    if (answer === back) return modelPage(place, listed, list);
    if (!answer) return undefined;
    const { value } = answer;
    await withProgress(t('Renaming the model “{0}”', name), (signal) =>
      models.rename(name, value, { signal }),
    );
    return home;
  };
}

function copyPage(
  place: ModelPlace,
  listed: ListedModel,
  list: ModelList,
  saved: ModelDraft,
): ModelPage {
  return async () => {
    const taken = list.models.map((model) => model.name);
    const position = { title: t('Copy “{0}”', listed.name), hasBack: true };
    const suggested = `${listed.name}-2`.slice(0, 64);
    const answer = await askForModelName(position, suggested, taken);
    const draft =
      typeof answer === 'object' &&
      (await withKey(place, position, saved, saved));
    if (answer === back || draft === back)
      return modelPage(place, listed, list);
    if (!answer || !draft) return undefined;
    const { value } = answer;
    await withProgress(t('Saving the model “{0}”', value), (signal) =>
      place.models.save(value, draft, { signal }),
    );
    return place.home;
  };
}

function removePage(
  { models, home }: ModelPlace,
  name: string,
  draft: ModelDraft,
): ModelPage {
  return async () => {
    const canUndo = draft.key !== 'lost';
    const detail = canUndo
      ? t('Conversations that use it keep it.')
      : t(
          'This cannot be undone: its key is lost, because the service does not return it.',
        );
    if (
      !(await confirm(t('Remove the model “{0}”?', name), detail, t('Remove')))
    )
      return home;
    await withProgress(t('Removing the model “{0}”', name), (signal) =>
      models.remove(name, { signal }),
    );
    const done = t('Removed the model “{0}”.', name);
    if (canUndo) offerUndo(done, () => models.save(name, draft));
    else void showInformation(done);
    return home;
  };
}
