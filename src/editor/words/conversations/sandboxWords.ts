/** Names of sandboxes. */
import { plainText } from '../../../base/plainText.ts';
import type { Conversation, Sandbox } from '../../../service/entities.ts';
import { titleOf } from './conversationWords.ts';

interface SandboxName {
  readonly name: string;
  /** Undefined if it is the name. */
  readonly spec: string | undefined;
}

/** Names a sandbox after its only conversation, else after its spec: on many services all have the same spec. */
export function sandboxName({ id, specId }: Sandbox, served: readonly Conversation[]): SandboxName {
  const spec = specName(specId);
  const [only] = served;
  if (only && served.length === 1) return { name: titleOf(only), spec: spec && plainText(spec) };
  return { name: plainText(spec ?? id), spec: undefined };
}

/** The name of an image, without its registry and path. */
export function specName(specId: string | undefined): string | undefined {
  return specId === undefined ? undefined : specId.slice(specId.lastIndexOf('/') + 1) || specId;
}
