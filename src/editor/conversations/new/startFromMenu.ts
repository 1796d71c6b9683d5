import { type MarkdownString, Uri } from 'vscode';
import { userError } from '../../../base/l10n.ts';
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
    | {
        readonly uri: Uri;
        readonly range?: { readonly start: { readonly line: number } };
      }
    | undefined;
}

interface Resource {
  readonly resourceUri: Uri;
}

type Argument = Readonly<Record<string, unknown>>;

export function startingPointOf(args: readonly unknown[]): StartingPoint {
  const [first] = args;
  // VS Code has no files any more for the rows of the menu.
  if (args.length > 0 && first === undefined)
    throw userError(
      'These files have just been listed again. Open the menu again.',
    );
  if (typeof first !== 'object' || first === null || first instanceof Uri)
    return { from: 'editor' };
  const argument = first as Argument;
  if (argument.from === 'problem') return first as StartingPoint;
  if ('test' in argument && 'message' in argument)
    return fromTest(argument.test as TestItem, argument.message as TestMessage);
  if ('resourceStates' in argument)
    return changesOf(argument.resourceStates as readonly Resource[]);
  if ('resourceUri' in argument) return changesOf(args.filter(isResource));
  if ('rootUri' in argument)
    return {
      from: 'changes',
      root: (argument.rootUri as Uri | undefined)?.toString(),
    };
  return 'label' in argument ? fromTest(first as TestItem) : { from: 'editor' };
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'resourceUri' in value;
}

function changesOf(resources: readonly Resource[]): StartingPoint {
  return {
    from: 'changes',
    addresses: resources.map(({ resourceUri }) => resourceUri.toString()),
  };
}

function fromTest(item: TestItem, failure?: TestMessage): StartingPoint {
  const names: string[] = [];
  for (let node: TestItem | undefined = item; node; node = node.parent)
    names.unshift(node.label);
  const {
    message,
    expectedOutput: expected,
    actualOutput: actual,
    location,
  } = failure ?? {};
  return {
    from: 'test',
    test: {
      name: names.join(' › '),
      message: typeof message === 'object' ? message.value : message,
      expected,
      actual,
    },
    address: (location?.uri ?? item.uri)?.toString(),
    line: location?.range?.start.line ?? item.range?.start.line ?? 0,
  };
}
