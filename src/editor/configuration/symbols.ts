/** The servers and their fields, for the outline. Names only: values can be secrets. */
import { DocumentSymbol, type DocumentSymbolProvider, SymbolKind, type TextDocument } from 'vscode';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { entriesIn, type Part } from './entries.ts';
import { rangeOf } from './spans.ts';

export class Symbols implements DocumentSymbolProvider {
  provideDocumentSymbols(document: TextDocument): DocumentSymbol[] {
    return entriesIn(document.getText()).map((entry) => {
      const { server, enabled, parts } = entry;
      const kind = server?.transport === 'stdio' ? SymbolKind.Function : SymbolKind.Interface;
      const detail = [server?.transport ?? t('not a server'), enabled ? '' : t('disabled')];
      return symbol(document, entry, detail.filter(Boolean).join(', '), kind, parts);
    });
  }
}

function symbol(
  document: TextDocument,
  at: Pick<Part, 'name' | 'start' | 'nameEnd' | 'end'>,
  detail: string,
  kind: SymbolKind,
  parts: readonly Part[],
): DocumentSymbol {
  const { name, start, nameEnd, end } = at;
  const range = rangeOf(document, { start, end });
  const nameRange = rangeOf(document, { start, end: nameEnd });
  // The editor takes no symbol without a name.
  const found = new DocumentSymbol(plainText(name, 80) || t('(no name)'), detail, kind, range, nameRange);
  found.children = parts.map((part) => symbol(document, part, '', kindOf(part), part.parts));
  return found;
}

function kindOf({ value: { type } }: Part): SymbolKind {
  return type === 'object' ? SymbolKind.Object : type === 'array' ? SymbolKind.Array : SymbolKind.Property;
}
