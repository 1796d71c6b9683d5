/** Named secrets of a service, whose values nobody can read here. */
import { ThemeIcon } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { NamedSecret } from '../../service/abilities/models.ts';
import { confirm, unlessCancelled, withProgress } from '../ui/messages.ts';
import { askText, back } from '../ui/steps.ts';
import { inPick } from '../words/foreignText.ts';
import { type ModelPage, type ModelPlace, pickPage } from './modelPlace.ts';
import { askForSecret } from './modelQuestions.ts';

export function secretsPage(place: ModelPlace): ModelPage {
  const { models, home, service } = place;
  const title = t('Secrets of {0}', service.name);

  const here: ModelPage = async () => {
    const secrets = await unlessCancelled(
      t('Loading the secrets of {0}', service.name),
      (signal) => models.secrets.list({ signal }),
    );
    if (!secrets) return undefined;
    const items = [
      ...secrets.map((secret) => ({
        label: inPick(secret.name),
        iconPath: new ThemeIcon('lock'),
        description: inPick(secret.description ?? ''),
        next: secretPage(secret),
      })),
      {
        label: t('Add Secret…'),
        iconPath: new ThemeIcon('add'),
        next: add(secrets),
      },
    ];
    const placeholder =
      secrets.length > 0
        ? t('Select a secret to replace or remove it. Values are never read.')
        : t('No secret yet. Agents get secrets as environment variables.');
    return await pickPage({ title, placeholder, items }, here, home);
  };

  const secretPage =
    (secret: NamedSecret): ModelPage =>
    () =>
      pickPage(
        {
          title: secret.name,
          placeholder: t('Select what to do'),
          items: [
            {
              label: t('Replace Value…'),
              iconPath: new ThemeIcon('edit'),
              next: () => setValue(secret),
            },
            {
              label: t('Remove…'),
              iconPath: new ThemeIcon('trash'),
              next: remove(secret),
            },
          ],
        },
        secretPage(secret),
        here,
      );

  const add =
    (secrets: readonly NamedSecret[]): ModelPage =>
    async () => {
      const name = await askText({
        title: t('Add Secret'),
        hasBack: true,
        value: '',
        prompt: t('Name of the secret, such as GITHUB_TOKEN'),
        validate: (text) => {
          if (!/^[A-Za-z]\w{0,63}$/.test(text.trim()))
            return t(
              'Use up to 64 letters, digits and underscores, with a letter first.',
            );
          return secrets.some((secret) => secret.name === text.trim())
            ? t('There is a secret of this name already.')
            : undefined;
        },
      });
      if (name === back) return here;
      return name === undefined
        ? undefined
        : await setValue({ name: name.trim(), description: undefined });
    };

  async function setValue(secret: NamedSecret): Promise<ModelPage | undefined> {
    const answer = await askForSecret<never>(
      place,
      { title: secret.name, hasBack: true },
      t('The value. It goes to the service alone.'),
    );
    if (answer === back) return here;
    if (!answer) return undefined;
    await withProgress(t('Saving the secret {0}', secret.name), (signal) =>
      models.secrets.set(secret, answer.value, { signal }),
    );
    return here;
  }

  const remove =
    ({ name }: NamedSecret): ModelPage =>
    async () => {
      const question = t('Remove the secret {0}?', name);
      const detail = t('Its value is lost. This cannot be undone.');
      if (await confirm(question, detail, t('Remove')))
        await withProgress(t('Removing the secret {0}', name), (signal) =>
          models.secrets.remove(name, { signal }),
        );
      return here;
    };
  return here;
}
