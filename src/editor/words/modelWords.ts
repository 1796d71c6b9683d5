import { t } from '../../base/l10n.ts';
import { maskUrl } from '../../base/masks/maskUrl.ts';
import { plainText } from '../../base/plainText.ts';
import { joinParts } from '../../base/parts.ts';
import type {
  ListedAgentProfile,
  ListedModel,
  ModelCost,
  ModelDraft,
} from '../../service/abilities/models.ts';

const namePattern = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** The reason why a model cannot have this name. */
export function modelNameProblem(
  name: string,
  taken: readonly string[],
): string | undefined {
  if (!namePattern.test(name) || name.endsWith('.json'))
    return t(
      'Use up to 64 letters, digits, dots, dashes and underscores, with a letter or digit first.',
    );
  // Some machines of services do not tell upper from lower case.
  return taken.some((other) => other.toLowerCase() === name.toLowerCase())
    ? t('There is a model of this name already.')
    : undefined;
}

export function suggestModelName(
  model: string,
  taken: readonly string[],
): string {
  const base = model
    .slice(model.lastIndexOf('/') + 1)
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 60);
  const names = [base || 'model', ...taken.map((_, at) => `${base}-${at + 2}`)];
  return (
    names.find((name) => modelNameProblem(name, taken) === undefined) ?? ''
  );
}

export function modelDescription(model: ListedModel): string {
  return joinParts(
    ' · ',
    model.isDefault && t('default'),
    model.model,
    model.baseUrl && shownAddress(model.baseUrl),
  );
}

export function shownAddress(url: string): string {
  return plainText(maskUrl(url), 200);
}

export function agentProfileDescription(
  { isActive, model, servers }: ListedAgentProfile,
  models: readonly ListedModel[],
): string {
  const isMissing =
    model !== undefined && !models.some(({ name }) => name === model);
  return joinParts(
    ' · ',
    isActive && t('active'),
    isMissing ? t('no model “{0}”', model) : model,
    serversWord(servers),
  );
}

/** `known` are those that the service has, where that is known. */
export function serversWord(
  servers: readonly string[] | undefined,
  known?: readonly string[],
): string {
  if (!servers) return [t('all MCP servers'), ...(known ?? [])].join(' · ');
  return servers.length === 0 ? t('no MCP servers') : servers.join(', ');
}

export function keyWord(key: ModelDraft['key']): string {
  if (key === 'none') return t('none');
  return key === 'lost' ? t('not known here') : t('set');
}

export function costWord(cost: ModelCost | undefined): string {
  return cost
    ? t(
        '${0} in, ${1} out per million tokens',
        String(cost.input),
        String(cost.output),
      )
    : t('as the service knows it');
}

/** Reads two prices; undefined for anything else. */
export function costFrom(text: string): ModelCost | undefined {
  const match =
    /^\$?\s*(\d+(?:\.\d+)?)\s*[\s,;/]\s*\$?\s*(\d+(?:\.\d+)?)$/.exec(
      text.trim(),
    );
  return match
    ? { input: Number(match[1]), output: Number(match[2]) }
    : undefined;
}
