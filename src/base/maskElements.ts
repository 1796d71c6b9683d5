/** Values between tags, as XML has them. */
import { isOpenValue, isSecretName } from './secretNames.ts';

const element = /<([\w.:-]{1,100})(\s[^<>]*)?>([^<>]+)(?=<\/\1\s*>)/g;
/** The name of a setting can be an attribute of its element. */
const nameAttribute = /\s(?:name|key|id)\s*=\s*["']([\w.-]+)["']/i;
/** In property lists, it is an element of its own. */
const listed = /(<key>([^<>]{1,100})<\/key>\s*[+-]?\s*<string>)([^<>]+)(?=<\/string>)/g;

export function maskElements(text: string, cover: string): string {
  if (!text.includes('</')) return text;
  return text
    .replace(listed, (all, start: string, name: string, value: string) =>
      isSecretName(name) && isSecret(value) ? start + cover : all,
    )
    .replace(element, (all, tag: string, attributes: string | undefined, value: string) => {
      const named = nameAttribute.exec(attributes ?? '')?.[1] ?? '';
      // Translations have names, too. They are words with blanks between them.
      const isNamed =
        (isSecretName(tag) && !/^key$/i.test(tag)) || (isSecretName(named) && !/\s/.test(value.trim()));
      return isNamed && isSecret(value) ? `<${tag}${attributes ?? ''}>${cover}` : all;
    });
}

/** In code, an expression can be between tags. */
function isSecret(value: string): boolean {
  const own = value.trim();
  return own !== '' && !isOpenValue(own) && !/^\{.*\}$/s.test(own);
}
