/**
 * Masks all known and possible secrets in the text of mcp.json. Does not import
 * vscode.
 */
import { type JSONPath, visit } from 'jsonc-parser';
import { isCodeVariable } from '../../../base/masks/codeVariables.ts';
import { t } from '../../../base/l10n.ts';
import { maskText } from '../../../base/masks/maskText.ts';
import { maskUrl } from '../../../base/masks/maskUrl.ts';
import { mask, type Secret } from '../../../base/secret.ts';
import { withEdits } from '../../../mcp/text/withEdits.ts';
import { ArgumentMasker } from '../../../mcp/format/mask.ts';

interface MaskedPair {
  readonly before: string;
  readonly after: string;
}

/**
 * Masks two versions of the file and marks values that differ, even if both are
 * masked.
 */
export function maskBoth(
  before: string,
  after: string,
  secrets: readonly Secret[] = [],
): MaskedPair {
  const old = placesIn(before, secrets);
  const changed = t('{0} (changed)', mask);
  const placeByPath = new Map(old.map((place) => [place.path, place]));
  const mark = (place: MaskedPlace): MaskedPlace => {
    const was =
      place.path === undefined ? undefined : placeByPath.get(place.path);
    // Different values can look the same once masked.
    if (was?.maskedText !== place.maskedText || was.value === place.value)
      return place;
    return { ...place, maskedText: place.maskedText.replace(mask, changed) };
  };
  return {
    before: masked(before, old),
    after: masked(after, placesIn(after, secrets).map(mark)),
  };
}

/** A part of the text that is replaced. */
interface MaskedPlace {
  /** Undefined for names and comments. */
  readonly path: string | undefined;
  readonly offset: number;
  readonly length: number;
  readonly value: string;
  readonly maskedText: string;
}

function masked(text: string, places: readonly MaskedPlace[]): string {
  const all = withEdits(
    text,
    places.map(({ offset, length, maskedText }) => ({
      offset,
      length,
      content: maskedText,
    })),
  );
  return all.replace(/^\uFEFF/, '');
}

function placesIn(text: string, secrets: readonly Secret[]): MaskedPlace[] {
  const places: MaskedPlace[] = [];
  const commands = commandsIn(text);
  let entry = -1;
  let args = new ArgumentMasker('');
  const replace = (
    path: string | undefined,
    offset: number,
    length: number,
    maskedText: string,
  ) => {
    const value = text.slice(offset, offset + length);
    if (value !== maskedText)
      places.push({ path, offset, length, value, maskedText });
  };
  visit(
    text,
    {
      onObjectProperty: (name, offset, length) => {
        const maskedText = maskText(name);
        if (maskedText !== name)
          replace(undefined, offset, length, JSON.stringify(maskedText));
      },
      onObjectBegin: (_offset, _length, _line, _column, pathOf) => {
        if (isEntry(pathOf())) entry++;
      },
      onArrayBegin: () => {
        args = new ArgumentMasker(commands[entry] ?? '');
      },
      onLiteralValue: (
        value: unknown,
        offset,
        length,
        _line,
        _column,
        pathOf,
      ) => {
        const path = pathOf();
        const maskedText = maskKnown(maskLiteral(path, value, args), secrets);
        if (maskedText !== value)
          replace(path.join('\0'), offset, length, JSON.stringify(maskedText));
      },
      onComment: (offset, length) => {
        replace(
          undefined,
          offset,
          length,
          maskText(text.slice(offset, offset + length)),
        );
      },
    },
    { allowTrailingComma: true },
  );
  return places;
}

/**
 * The commands of all entries in their order, because arguments can stand
 * before their command.
 */
function commandsIn(text: string): readonly string[] {
  const commands: string[] = [];
  visit(
    text,
    {
      onObjectBegin: (_offset, _length, _line, _column, pathOf) => {
        if (isEntry(pathOf())) commands.push('');
      },
      onLiteralValue: (
        value: unknown,
        _offset,
        _length,
        _line,
        _column,
        pathOf,
      ) => {
        const [field, ...below] = fieldOf(pathOf());
        if (
          field === 'command' &&
          below.length === 0 &&
          typeof value === 'string'
        )
          commands[commands.length - 1] = value;
      },
    },
    { allowTrailingComma: true },
  );
  return commands;
}

/** True for an object that can be an entry, and for those around entries. */
function isEntry(path: JSONPath): boolean {
  return fieldOf(path).length === 0;
}

function fieldOf(path: JSONPath): JSONPath {
  return path.slice(path[0] === 'mcpServers' ? 2 : 1);
}

function maskLiteral(
  path: JSONPath,
  value: unknown,
  args: ArgumentMasker,
): unknown {
  const [field, ...below] = fieldOf(path);
  if (field === 'args' && below.length === 1 && typeof value === 'string')
    return args.mask(value);
  if (
    field === 'env' &&
    below.length === 1 &&
    isCodeVariable(String(below[0])) &&
    typeof value === 'string'
  )
    return maskText(value);
  if (below.length > 0) return value === '' ? value : mask;
  if (typeof value !== 'string' || value === '') return value;
  if (field === 'url') return maskUrl(value);
  if (field === 'auth') return value === 'oauth' ? value : mask;
  return typeof field === 'string' && open.has(field) ? maskText(value) : mask;
}

function maskKnown(value: unknown, secrets: readonly Secret[]): unknown {
  if (typeof value !== 'string') return value;
  return secrets.reduce((text, secret) => {
    const secretText = secret.reveal();
    // A short secret would match everywhere.
    if (secretText.length >= 4) return text.replaceAll(secretText, mask);
    return text === secretText ? text && mask : text;
  }, value);
}

/** Fields that are not secret as a whole. */
const open = new Set(['command', 'transport', 'type', 'cwd', 'description']);
