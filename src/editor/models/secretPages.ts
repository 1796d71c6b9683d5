/** Named secrets of a service, whose values are never read. */
import { ThemeIcon } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { NamedSecret } from '../../service/abilities/models.ts';
import { confirm } from '../ui/messages.ts';
import { askText } from '../ui/steps.ts';
import { inPick } from '../words/foreignText.ts';
import {
  questionPage,
  askService,
  removalPage,
  type ModelPage,
  type ModelPlace,
  pickPage,
} from './modelPlace.ts';
import { askForSecret } from './modelQuestions.ts';

export function secretsPage(place: ModelPlace): ModelPage {
  const { secrets } = place.models;
  const title = t('Secrets of {0}', place.service.name);

  const here: ModelPage = async () => {
    const listed = await askService(place, (signal) =>
      secrets.list({ signal }),
    );
    if (!listed) return undefined;
    const items = [
      ...listed.map((secret) => ({
        label: inPick(secret.name),
        iconPath: new ThemeIcon('lock'),
        description: inPick(secret.description ?? ''),
        next: secretPage(secret),
      })),
      {
        label: t('Add Secret…'),
        iconPath: new ThemeIcon('add'),
        next: add(listed),
      },
    ];
    const placeholder =
      listed.length > 0
        ? t('Select a secret to replace or remove it. Values are never read.')
        : t('No secret yet. Agents get secrets as environment variables.');
    return await pickPage({ title, placeholder, items }, here, place.home);
  };

  const secretPage = (secret: NamedSecret): ModelPage => {
    const items = [
      {
        label: t('Replace Value…'),
        iconPath: new ThemeIcon('edit'),
        next: setValue(secret),
      },
      {
        label: t('Remove…'),
        iconPath: new ThemeIcon('trash'),
        next: remove(secret),
      },
    ];
    const question = {
      title: secret.name,
      placeholder: t('Select what to do'),
      items,
    };
    return () => pickPage(question, here, here);
  };

  const add =
    (listed: readonly NamedSecret[]): ModelPage =>
    async () => {
      const answer = await askText({
        title: t('Add Secret'),
        hasBack: true,
        value: '',
        prompt: t('Name of the secret, such as GITHUB_TOKEN'),
        validate: (text) => {
          if (!/^\s*[A-Za-z]\w{0,63}\s*$/.test(text))
            return t(
              'Use up to 64 letters, digits and underscores, with a letter first.',
            );
          return listed.some(({ name }) => name === text.trim())
            ? t('There is a secret of this name already.')
            : undefined;
        },
      });
      if (typeof answer !== 'string') return answer && here;
      return setValue({ name: answer.trim(), description: undefined });
    };

  const setValue = (secret: NamedSecret) =>
    questionPage(
      place,
      here,
      () =>
        askForSecret<never>(
          place,
          { title: secret.name, hasBack: true },
          t('The value. It goes to the service alone.'),
        ),
      (value, signal) => secrets.set(secret, value, { signal }),
    );

  const remove = ({ name }: NamedSecret): ModelPage => {
    const question = t('Remove the secret {0}?', name);
    const detail = t('Its value is lost. This cannot be undone.');
    return removalPage(
      () => confirm(question, detail, t('Remove')),
      () => askService(place, (signal) => secrets.remove(name, { signal })),
    );
  };
  return here;
}
