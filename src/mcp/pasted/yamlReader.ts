/** YAML as a value. The only file that loads the reader of YAML. */
import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { t } from '../../base/l10n.ts';
import { Refusal } from '../refusal.ts';
import type { Value } from '../values.ts';

/** More references than any configuration has. What one stands for can have others in it, or itself. */
const mostAliases = 100;

/** What a text says, or why it cannot be read. */
export function readYaml(text: string): Value | Refusal {
  const document = parseDocument(text, {
    prettyErrors: false,
    logLevel: 'silent',
    uniqueKeys: false,
    stringKeys: true,
  });
  const [error] = document.errors;
  if (!error) return new NodeReader(document).value(document.contents);
  return new Refusal('syntax', t('this is not valid YAML.'), text, Math.min(error.pos[0], text.length));
}

class NodeReader {
  readonly #document: Document;
  #aliases = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  value(node: unknown): Value {
    if (isAlias(node)) return ++this.#aliases > mostAliases ? null : this.value(node.resolve(this.#document));
    if (isSeq(node)) return node.items.map((item) => this.value(item));
    if (isMap(node)) {
      const members = node.items.map(({ key, value }): [string, Value] => [String(key), this.value(value)]);
      // What is merged in does not count where a key is here as well.
      const isMerge = ([key, value]: [string, Value]) => key === '<<' && value instanceof Map;
      const merged = members
        .filter(isMerge)
        .flatMap(([, value]) => [...(value as ReadonlyMap<string, Value>)]);
      return new Map([...merged, ...members.filter((member) => !isMerge(member))]);
    }
    return isScalar(node) ? scalar(node.value, node.source) : null;
  }
}

/** A number that would be written otherwise, as a version, is text here. */
function scalar(value: unknown, source = ''): Value {
  if (typeof value === 'number') return String(value) === source ? value : source;
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
