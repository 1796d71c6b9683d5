import type { QuickPickItem } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { reason } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import { SearchAfterTyping } from '../../../base/searchAfterTyping.ts';
import type { GitHosts } from '../../../service/abilities/agentService.ts';
import type {
  GitRepository,
  SuggestedTask,
} from '../../../service/model/entities.ts';
import type { Pager } from '../../../service/http/pager.ts';
import { isRefusal, ServiceError } from '../../../service/http/serviceError.ts';
import { codeHostName } from '../../../state/changes/codeHosts.ts';
import { inPick } from '../../words/foreignText.ts';
import { taskKind } from '../../words/conversations/startWords.ts';
import { askPick, type PickQuestion } from '../../ui/steps.ts';

export interface RepositoryItem extends QuickPickItem {
  readonly repository: {
    readonly name: string;
    readonly provider: string | undefined;
  };
}

export function choiceTitle(): string {
  return t('New Conversation');
}

/** Resolves with `undefined` if the user cancels. */
export async function pickChoice<T extends QuickPickItem>(
  question: Omit<PickQuestion<T>, 'title'>,
): Promise<T | undefined> {
  const answer = await askPick({ title: choiceTitle(), ...question });
  return typeof answer === 'object' ? answer : undefined;
}

export class GitChoices {
  readonly #git: GitHosts | undefined;
  #providers: Promise<readonly string[]> | undefined;
  readonly #typing = new SearchAfterTyping(systemClock);
  #suggested: Promise<readonly SuggestedTask[] | string> | undefined;

  constructor(git: GitHosts | undefined) {
    this.#git = git;
  }

  /**
   * Returns no providers if the service cannot list them. The user then types
   * names.
   */
  providers(): Promise<readonly string[]> {
    return (this.#providers ??= (async () => {
      try {
        return (await this.#git?.providers({})) ?? [];
      } catch {
        return [];
      }
    })());
  }

  async providerOf({
    provider,
  }: {
    readonly provider: string | undefined;
  }): Promise<string | undefined> {
    const providers = await this.providers();
    if (provider !== undefined && providers.includes(provider)) return provider;
    return providers.length === 1 ? providers[0] : undefined;
  }

  /** `knownItems`: the items that need no request. */
  repositories(
    knownItems: readonly RepositoryItem[],
  ): (typed: string) => Promise<readonly RepositoryItem[]> {
    const git = this.#git;
    if (!git) return () => Promise.resolve(knownItems);
    const search = this.#typing.search(async (typed, signal) => {
      const providers = await this.providers();
      const results = await Promise.all(
        providers.map((provider) =>
          firstOf(git.repositories(provider, typed, { signal })),
        ),
      );
      return results.flat().map(({ name, provider }) => ({
        label: inPick(name),
        description:
          providers.length > 1
            ? inPick(codeHostName(provider) ?? provider)
            : '',
        // A search may find names without the typed text.
        alwaysShow:
          typed !== '' && !name.toLowerCase().includes(typed.toLowerCase()),
        repository: { name, provider },
      }));
    });
    return (typed) =>
      withKnown(knownItems, search(typed), ({ repository }) => repository.name);
  }

  async branch(
    repository: GitRepository,
    current: string,
  ): Promise<string | undefined> {
    const usual = { label: t('Default Branch'), name: '' };
    const named = (name: string) => ({ label: inPick(name), name });
    const knownItems = current === '' ? [usual] : [named(current), usual];
    const search = this.#typing.search(async (typed, signal) => {
      const branches = await firstOf(
        this.#git?.branches(repository, typed, { signal }),
      );
      return branches.map(({ name }) => named(name));
    });
    const answer = await pickChoice<QuickPickItem & { readonly name: string }>({
      items: knownItems,
      placeholder: t('Branch to start from'),
      later: (typed) =>
        withKnown(knownItems, search(typed), ({ name }) => name),
      first: ({ name }) => name === current,
      other: (typed) => ({ ...asTyped(typed), name: typed }),
    });
    return answer?.name;
  }

  async task(): Promise<SuggestedTask | undefined> {
    interface Item extends QuickPickItem {
      readonly task?: SuggestedTask;
    }
    const answer = await pickChoice<Item>({
      items: [],
      placeholder: t('Select a task for the agent'),
      later: async () => {
        const tasks = await this.#tasks();
        if (typeof tasks === 'string')
          return [{ label: inPick(tasks), alwaysShow: true }];
        return tasks.map((task) => ({
          label: inPick(`#${task.number} ${task.title}`),
          description: inPick(
            `${task.repository.name} · ${taskKind(task.kind)}`,
          ),
          task,
        }));
      },
    });
    return answer?.task;
  }

  stop(): void {
    this.#typing.stop();
  }

  /** Loads the tasks, or the reason why there are none. */
  #tasks(): Promise<readonly SuggestedTask[] | string> {
    return (this.#suggested ??= (async () => {
      try {
        const tasks = await firstOf(this.#git?.suggestedTasks({ size: 99 }));
        return tasks.length > 0
          ? tasks
          : t('The service has no suggested tasks now.');
      } catch (error) {
        this.#suggested = undefined;
        const isWithoutProvider =
          error instanceof ServiceError && isRefusal(error);
        return isWithoutProvider && (await this.providers()).length === 0
          ? t(
              'The service suggests no tasks, because no Git provider is set up there.',
            )
          : reason(error);
      }
    })());
  }
}

/** The label is not a name, so matching names come first. */
export function asTyped(typed: string) {
  return { label: t('As Typed'), description: inPick(typed), alwaysShow: true };
}

async function firstOf<T>(pages: Pager<T> | undefined): Promise<readonly T[]> {
  return (await pages?.next())?.value?.items ?? [];
}

/**
 * Appends the known items to the results. If the search fails, the first known
 * item shows the reason.
 */
async function withKnown<T extends QuickPickItem>(
  knownItems: readonly T[],
  searching: Promise<readonly T[]>,
  nameOf: (item: T) => string,
): Promise<readonly T[]> {
  try {
    const results = await searching;
    if (results.length === 0) return knownItems;
    const names = new Set(results.map(nameOf));
    return [
      ...results,
      ...knownItems.filter((item) => !names.has(nameOf(item))),
    ];
  } catch (error) {
    const [first, ...rest] = knownItems;
    return first
      ? [{ ...first, detail: inPick(reason(error)) }, ...rest]
      : knownItems;
  }
}
