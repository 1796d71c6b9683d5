/** Lets the user see, try and change the approval rules. */
import {
  InputBoxValidationSeverity,
  QuickPickItemKind,
  type QuickInputButton,
  type QuickPickItem,
  ThemeIcon,
  window,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import { isEqual } from '../../base/same.ts';
import type { AskRule } from '../../service/model/entities.ts';
import {
  type AcceptRule,
  expressionOf,
} from '../../state/approvalRules/acceptRules.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { settings } from '../manifest.ts';
import { offerUndo } from '../ui/messages.ts';
import { inPick } from '../words/foreignText.ts';
import {
  triedWords,
  whereRuleHolds,
} from '../words/conversations/ruleWords.ts';
import { approvalRules, setAcceptRules, setAskRules } from './ruleSettings.ts';

type Choice =
  | { readonly kind: 'ask'; readonly rule: AskRule }
  | { readonly kind: 'accept'; readonly rule: AcceptRule }
  | { readonly kind: 'add' | 'try' | 'reset' | 'none' };

type RuleItem = QuickPickItem & { readonly choice?: Choice };

/** Shows the rules until the user closes the list. */
export async function editApprovalRules(
  switchboard: Switchboard,
): Promise<void> {
  for (;;) {
    const choice = await pickRule(switchboard);
    if (choice === undefined) return;
    switch (choice.kind) {
      case 'ask':
        await editAskRule(choice.rule);
        break;
      case 'accept':
      case 'none':
        break;
      case 'add':
        await editAskRule(undefined);
        break;
      case 'try':
        await tryCommand();
        break;
      case 'reset':
        await resetAskRules();
        break;
    }
  }
}

async function pickRule(switchboard: Switchboard): Promise<Choice | undefined> {
  const remove: QuickInputButton = {
    iconPath: new ThemeIcon('trash'),
    tooltip: t('Remove'),
  };
  const pick = window.createQuickPick<RuleItem>();
  const draw = () => {
    pick.items = ruleItems(switchboard, remove);
  };
  pick.title = t('Approval Rules');
  pick.placeholder = t('A convenience, not a wall: a pattern can be evaded');
  pick.matchOnDescription = true;
  draw();
  try {
    return await new Promise<Choice | undefined>((resolve, reject) => {
      pick.onDidTriggerItemButton(({ item: { choice } }) => {
        removeRule(choice).then(draw, reject);
      });
      pick.onDidAccept(() => {
        resolve(pick.selectedItems[0]?.choice);
      });
      pick.onDidHide(() => {
        resolve(undefined);
      });
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function ruleItems(
  switchboard: Switchboard,
  remove: QuickInputButton,
): RuleItem[] {
  const { ask, accept } = approvalRules();
  const heading = (label: string): RuleItem => ({
    label,
    kind: QuickPickItemKind.Separator,
  });
  return [
    heading(t('Ask when the agent')),
    ...ask.map((rule): RuleItem => ({
      label: inPick(rule.sentence),
      description: inPick(rule.pattern),
      buttons: [remove],
      choice: { kind: 'ask', rule },
    })),
    {
      label: t('Add an Action to Ask For…'),
      iconPath: new ThemeIcon('add'),
      choice: { kind: 'add' },
    },
    heading(t('Accept without asking, while VS Code is open')),
    ...(accept.length > 0
      ? accept.map((rule): RuleItem => ({
          label: inPick(rule.command),
          description: inPick(whereRuleHolds(rule, switchboard)),
          buttons: [remove],
          choice: { kind: 'accept', rule },
        }))
      : [
          {
            label: t('None yet'),
            description: t(
              "Choose “Accept, and Don't Ask Again” at a pending action",
            ),
            choice: { kind: 'none' } as const,
          },
        ]),
    heading(''),
    {
      label: t('Try a Command…'),
      iconPath: new ThemeIcon('beaker'),
      choice: { kind: 'try' },
    },
    {
      label: t('Reset What to Ask For'),
      iconPath: new ThemeIcon('discard'),
      choice: { kind: 'reset' },
    },
  ];
}

async function removeRule(choice: Choice | undefined) {
  const { ask, accept } = approvalRules();
  if (choice?.kind === 'ask')
    await setAskRules(ask.filter((rule) => !isEqual(rule, choice.rule)));
  if (choice?.kind === 'accept')
    await setAcceptRules(accept.filter((rule) => !isEqual(rule, choice.rule)));
}

async function editAskRule(before: AskRule | undefined) {
  const title = before ? t('Change Rule') : t('Add Rule');
  const sentence = await window.showInputBox({
    title,
    prompt: t('Describe the action, for example “Applies Terraform”'),
    value: before?.sentence ?? '',
    validateInput: (text) =>
      text.trim() === '' ? t('Enter a description.') : undefined,
  });
  if (sentence === undefined) return;
  const pattern = await window.showInputBox({
    title,
    prompt: t(
      'Regular expression for the command, for example {0}',
      String.raw`\bterraform\s+apply\b`,
    ),
    value: before?.pattern ?? '',
    validateInput: (text) => {
      if (text.trim() === '') return t('Enter a regular expression.');
      return expressionOf(text) ? undefined : t('Not a regular expression.');
    },
  });
  if (pattern === undefined) return;
  const rule = { sentence: sentence.trim(), pattern };
  const { ask } = approvalRules();
  await setAskRules(
    before
      ? ask.map((other) => (isEqual(other, before) ? rule : other))
      : [...ask, rule],
  );
}

async function tryCommand() {
  await window.showInputBox({
    title: t('Try a Command'),
    prompt: t('Nothing is run'),
    placeHolder: t('A command, for example “npm publish”'),
    validateInput: (text) =>
      text.trim() === ''
        ? undefined
        : {
            message: triedWords(text, approvalRules()),
            severity: InputBoxValidationSeverity.Info,
          },
  });
}

async function resetAskRules() {
  const { ask } = approvalRules();
  await setAskRules(settings['approval.askFor']);
  offerUndo(t('The list of what to ask for was reset.'), () =>
    setAskRules(ask),
  );
}
