/** Lists the models of a service, and leads to what can be done with them. */
import { QuickPickItemKind, ThemeIcon } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { ModelList } from '../../service/abilities/models.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { pickServiceWith } from '../services/pickService.ts';
import { showError } from '../ui/messages.ts';
import { inPick } from '../words/foreignText.ts';
import {
  agentProfileDescription,
  modelDescription,
} from '../words/modelWords.ts';
import { agentProfilePage } from './agentProfilePage.ts';
import { addModelPage, modelPage } from './editModel.ts';
import {
  askService,
  type ModelPage,
  type PageItems,
  pickPage,
} from './modelPlace.ts';
import { secretsPage } from './secretPages.ts';

/** Shows the models of this service, or of one that the user picks. */
export async function manageModels(
  switchboard: Switchboard,
  address?: string,
): Promise<void> {
  const picked = await pickServiceWith(switchboard, ({ models }) => models, {
    placeHolder: t('Select the service whose models to manage'),
    none: t(
      'The models of this service cannot be changed here: use its web page.',
    ),
    address,
  });
  if (!picked) return;
  const { service, ability: models } = picked;
  const home: ModelPage = async () => {
    const list = await askService({ service }, (signal) =>
      models.list({ signal }),
    );
    if (!list) return undefined;
    const title = t('Models of {0}', service.name);
    const placeholder = placeholderOf(list);
    return await pickPage({ title, placeholder, items: itemsOf(list) }, home);
  };
  const place = { service, models, home };

  function placeholderOf(list: ModelList): string {
    if (list.unlistedDefault !== undefined)
      return t(
        'New conversations use {0}, from the settings of the service',
        inPick(list.unlistedDefault),
      );
    if (list.models.length === 0)
      return t('No model yet. Add one, and new conversations use it.');
    return list.models.some(({ isDefault }) => isDefault)
      ? t('Select a model to change it')
      : t('New conversations have no model. Make one the default, or add one.');
  }

  function itemsOf(list: ModelList): PageItems {
    const ability = models.agentProfiles;
    const profiles = ability
      ? list.agentProfiles.map((profile) => ({
          label: inPick(profile.name),
          iconPath: new ThemeIcon('account'),
          description: inPick(agentProfileDescription(profile, list.models)),
          next: agentProfilePage(place, profile, list, ability),
        }))
      : [];
    return [
      ...list.models.map((model) => ({
        label: inPick(model.name),
        iconPath: new ThemeIcon(model.isDefault ? 'star-full' : 'symbol-class'),
        description: inPick(modelDescription(model)),
        next: modelPage(place, model, list),
      })),
      {
        label: t('Add Model…'),
        iconPath: new ThemeIcon('add'),
        next: addModelPage(place, list),
      },
      ability && {
        label: t('Agent profiles'),
        kind: QuickPickItemKind.Separator,
      },
      ...profiles,
      { label: '', kind: QuickPickItemKind.Separator },
      {
        label: t('Secrets…'),
        iconPath: new ThemeIcon('lock'),
        description: t('Named values that agents get'),
        next: secretsPage(place),
      },
    ];
  }

  for (let page: ModelPage | undefined = home; page;) {
    try {
      page = await page();
    } catch (error) {
      if (page === home || !(error instanceof UserError)) throw error;
      void showError(error.message);
      page = home;
    }
  }
}
