/** The headers or variables of a server that is being added, one by one. */
import type { QuickPickItem } from 'vscode';
import { t } from '../../../base/l10n.ts';
import { mask, Secret } from '../../../base/secret.ts';
import { askPick, askText, back } from '../../ui/steps.ts';
import { inPick } from '../../words/foreignText.ts';
import { type ServerDraft, valueNameProblem, valueProblem, valueRemark, valuesOf } from './draft.ts';
import { type StepAnswer, next, option } from './questions.ts';
import { valueWords } from '../../words/mcpServers/valueWords.ts';

interface ValueItem extends QuickPickItem {
  readonly does: 'done' | 'add' | 'change';
  readonly name?: string;
}

/** Headers or variables, one by one. */
export async function askForValues(draft: ServerDraft): Promise<StepAnswer> {
  for (;;) {
    const values = valuesOf(draft);
    const said = valueWords(draft);
    const none = values.size === 0;
    const items: ValueItem[] = [
      {
        does: 'done',
        label: none ? said.none() : t('Done'),
        description: none ? '' : said.count(values.size),
      },
      { does: 'add', label: none ? said.add() : said.addAnother() },
      ...[...values.keys()].map((name) => ({
        does: 'change' as const,
        name,
        label: inPick(name),
        description: mask,
        detail: t('Choose to change its value or remove it'),
      })),
    ];
    const answer = await askPick({
      ...option(draft),
      items,
      active: items[draft.typing.name === '' ? 0 : 1],
      placeholder: none ? said.needed() : said.choose(),
    });
    if (answer === undefined || answer === back) return answer;
    if (answer.does === 'done') return 'next';
    const given = answer.name === undefined ? await askForPair(draft) : await askToChange(draft, answer.name);
    if (given === undefined) return undefined;
  }
}

/** A new one: its name, then its value. */
async function askForPair(draft: ServerDraft): Promise<StepAnswer> {
  const said = valueWords(draft);
  const { typing } = draft;
  for (;;) {
    const name = await askText({
      ...option(draft),
      value: typing.name,
      prompt: said.name(),
      placeholder: said.example,
      validate: (text) => valueNameProblem(draft, text),
      onType: (text) => {
        typing.name = text;
      },
    });
    if (typeof name !== 'string') return next(name);
    const answer = await askForValue(draft, name.trim(), typing.value, (value) => {
      typing.value = value;
    });
    if (answer === back) continue;
    if (answer === undefined) return undefined;
    valuesOf(draft).set(name.trim(), typing.value);
    draft.typing = { name: '', value: new Secret('') };
    return 'next';
  }
}

async function askForValue(
  draft: ServerDraft,
  name: string,
  old: Secret,
  keep: (value: Secret) => void,
): Promise<StepAnswer> {
  const answer = await askText({
    ...option(draft),
    value: old.reveal(),
    hidden: true,
    prompt: valueWords(draft).value(name),
    validate: (value) => valueProblem(draft, value),
    remark: valueRemark,
    onType: (value) => {
      keep(new Secret(value));
    },
  });
  return next(answer);
}

async function askToChange(draft: ServerDraft, name: string): Promise<StepAnswer> {
  const values = valuesOf(draft);
  const items = [
    { label: t('Change Value'), does: 'change' },
    { label: t('Remove'), does: 'remove' },
  ];
  const placeholder = valueWords(draft).change(inPick(name));
  const answer = await askPick({ ...option(draft), items, placeholder });
  if (answer === undefined || answer === back) return answer;
  if (answer.does === 'remove') {
    values.delete(name);
    return 'next';
  }
  let value = values.get(name) ?? new Secret('');
  const given = await askForValue(draft, name, value, (typed) => {
    value = typed;
  });
  if (given === 'next') values.set(name, value);
  return given;
}
