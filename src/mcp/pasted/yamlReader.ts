/** YAML as a value. The only file that loads the reader of YAML. */
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { t } from '../../base/l10n.ts';
import { Refusal } from '../refusal.ts';
import type { Value } from '../values.ts';

/** More than any configuration repeats by reference: an alias can stand for what has many more in it. */
const mostAliases = 100;
const deepest = 50;

/** What a text says, or why it cannot be read. */
export function readYaml(text: string): Value | Refusal {
  const document = parsed(text);
  if (!document) return new Refusal('tooDeep', t('the nesting is too deep.'), text, 0);
  const [error] = document.errors;
  if (error)
    return new Refusal('syntax', t('this is not valid YAML.'), text, Math.min(error.pos[0], text.length));
  const reader = new NodeReader(document);
  return reader.value(document.contents, 0);
}

/** The reader of YAML calls itself for each level, and nobody has as many as it takes to exhaust that. */
function parsed(text: string): Document | undefined {
  try {
    return parseDocument(text, {
      prettyErrors: false,
      logLevel: 'silent',
      uniqueKeys: false,
      stringKeys: true,
    });
  } catch {
    return undefined;
  }
}

class NodeReader {
  readonly #document: Document;
  #aliases = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  value(node: unknown, depth: number): Value {
    if (depth > deepest) return null;
    if (isAlias(node)) return this.#target(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1));
    if (isMap(node)) {
      // What is merged in stands behind what is here.
      const own = node.items.map(({ key, value }): [string, Value] => [
        String(isScalar(key) ? key.value : key),
        this.value(value, depth + 1),
      ]);
      const merged = own.flatMap(([key, value]) => (key === '<<' && value instanceof Map ? [...value] : []));
      return new Map([...(merged as [string, Value][]), ...own.filter(([key]) => key !== '<<')]);
    }
    return isScalar(node) ? scalar(node.value, node.source) : null;
  }

  #target(alias: Alias, depth: number): Value {
    this.#aliases++;
    return this.#aliases > mostAliases ? null : this.value(alias.resolve(this.#document), depth + 1);
  }
}

/** A number that would be written otherwise, as a version, is text here. */
function scalar(value: unknown, source: string | undefined): Value {
  if (typeof value === 'number') return String(value) === source ? value : (source ?? null);
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
