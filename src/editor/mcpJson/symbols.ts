/** The servers and their fields, for the outline. Names only: values can be secrets. */
import { DocumentSymbol, type DocumentSymbolProvider, SymbolKind, type TextDocument } from 'vscode';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { Entry } from '../../mcp/format/entry.ts';
import { outlineUnfinished } from '../../mcp/format/outline.ts';
import { type Member, nameSpan, objectOf } from '../../mcp/text/nodes.ts';
import { rangeOf } from './spans.ts';

export class Symbols implements DocumentSymbolProvider {
  provideDocumentSymbols(document: TextDocument): DocumentSymbol[] {
    return written(outlineUnfinished(document.getText()).servers?.members).map((member) => {
      const { server, enabled } = new Entry(member);
      const kind = server?.transport === 'stdio' ? SymbolKind.Function : SymbolKind.Interface;
      const detail = [server?.transport ?? t('not a server'), enabled ? '' : t('disabled')];
      return symbol(document, member, detail.filter(Boolean).join(', '), kind);
    });
  }
}

/** Those that have a value already. */
function written(members: readonly Member[] = []): Member[] {
  return members.filter(({ value }) => value.type !== 'missing');
}

function symbol(document: TextDocument, member: Member, detail: string, kind: SymbolKind): DocumentSymbol {
  // The editor takes no symbol without a name.
  const name = plainText(member.name, 80) || t('(no name)');
  const nameRange = rangeOf(document, nameSpan(member));
  const found = new DocumentSymbol(name, detail, kind, rangeOf(document, member), nameRange);
  found.children = written(objectOf(member.value)?.members).map((each) =>
    symbol(document, each, '', kindOf(each)),
  );
  return found;
}

function kindOf({ value: { type } }: Member): SymbolKind {
  return type === 'object' ? SymbolKind.Object : type === 'array' ? SymbolKind.Array : SymbolKind.Property;
}
