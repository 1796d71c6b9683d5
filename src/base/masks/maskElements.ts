/** Values between tags, as XML has them. */
import { isOpenValue, isSecretName } from './secretNames.ts';

const element = /<([\w.:-]{1,100})((?:\s[^<>]*)?)>([^<>]+)(?=<\/\1\s*>)/g;
/** The name of a setting can be an attribute of its element. */
const nameAttribute = /(?<=\s(?:name|key|id)\s*=\s*["'])[\w.-]+(?=["'])/gi;
/** A name and a value of a property list, each an element. */
const listed =
  /(<key>([^<>]{1,100})<\/key>\s*(?:[+-]\s*)?<string>)([^<>]+)(?=<\/string>)/g;

export function maskElements(text: string, cover: string): string {
  return text
    .replace(listed, (all, start: string, name: string, value: string) =>
      isSecretName(name) && isSecret(value.trim()) ? start + cover : all,
    )
    .replace(
      element,
      (all, tag: string, attributes: string, content: string) => {
        const value = content.trim();
        const isNamed =
          (isSecretName(tag) && tag.toLowerCase() !== 'key') ||
          // Translations have names, too. They are words with blanks between
          // them.
          (attributes.match(nameAttribute)?.some(isSecretName) &&
            !/\s/.test(value));
        return isNamed && isSecret(value)
          ? `<${tag}${attributes}>${cover}`
          : all;
      },
    );
}

/** Ignores open values, and expressions of code between tags. */
function isSecret(value: string): boolean {
  return value !== '' && !isOpenValue(value) && !/^\{.*\}$/s.test(value);
}
