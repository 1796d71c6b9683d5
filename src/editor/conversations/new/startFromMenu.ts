import { type MarkdownString, Uri } from 'vscode';
import type { StartingPoint } from '../../../state/newConversation/firstMessage.ts';

interface TestItem {
  readonly label: string;
  readonly parent?: TestItem | undefined;
  readonly uri?: Uri | undefined;
  readonly range?: { readonly start: { readonly line: number } } | undefined;
}

interface TestMessage {
  readonly message: string | MarkdownString;
  readonly expectedOutput?: string | undefined;
  readonly actualOutput?: string | undefined;
  readonly location?:
    { readonly uri: Uri; readonly range?: { readonly start: { readonly line: number } } } | undefined;
}

interface Resource {
  readonly resourceUri: Uri;
}

type Given = Readonly<Record<string, unknown>>;

export function startingPointOf(args: readonly unknown[]): StartingPoint {
  const [first] = args;
  if (typeof first !== 'object' || first === null || first instanceof Uri) return { from: 'editor' };
  const given = first as Given;
  if (given.from === 'problem') return first as StartingPoint;
  if ('test' in given && 'message' in given)
    return fromTest(given.test as TestItem, given.message as TestMessage);
  if ('resourceStates' in given) return changesOf(given.resourceStates as readonly Resource[]);
  if ('resourceUri' in given) return changesOf(args.filter(isResource));
  if ('rootUri' in given) return { from: 'changes', root: (given.rootUri as Uri | undefined)?.toString() };
  return 'label' in given ? fromTest(first as TestItem) : { from: 'editor' };
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'resourceUri' in value;
}

function changesOf(resources: readonly Resource[]): StartingPoint {
  return { from: 'changes', addresses: resources.map(({ resourceUri }) => resourceUri.toString()) };
}

function fromTest(item: TestItem, failure?: TestMessage): StartingPoint {
  const names: string[] = [];
  for (let each: TestItem | undefined = item; each; each = each.parent) names.unshift(each.label);
  const { message, expectedOutput: expected, actualOutput: actual, location } = failure ?? {};
  const line = location?.range?.start.line ?? item.range?.start.line ?? 0;
  return {
    from: 'test',
    test: {
      name: names.join(' › '),
      message: typeof message === 'object' ? message.value : message,
      expected,
      actual,
    },
    address: (location?.uri ?? item.uri)?.toString(),
    line,
  };
}
