/**
 * Masks the recognizable secrets in any text from outside, in pieces as small
 * as is safe.
 */
import { mask } from '../secret.ts';
import { maskElements } from './maskElements.ts';
import { maskLines } from './maskLines.ts';
import { maskTokens } from './maskTokens.ts';
import { maxMaskedLength, maskUrl } from './maskUrl.ts';
import { maskNamed } from './maskNamed.ts';
import { maskPasswordOptions } from './passwordOptions.ts';
import { isOpen, isSecretName } from './secretNames.ts';

export function maskText(text: string, cover = mask): string {
  if (text.length > maxMaskedLength) return cover;
  // Fast paths for words: too short for a token, or without a name before a
  // value. The other patterns are slow to prepare.
  if (/^[\w@./-]{0,8}$/.test(text)) return text;
  if (/^[\w@./-]*$/.test(text)) return maskTokens(text, cover);
  if (connection.test(text)) return maskConnection(text, cover);
  const open = maskElements(maskLines(text, cover), cover)
    .replace(/-----BEGIN .*?(?:-----END [^-]*-----|$)/gs, cover)
    .replace(url, (address) => maskUrl(address, cover))
    .replace(passwordCall, `$1${cover}`)
    .replace(passwordLine, `$1${cover}`);
  return maskTokens(
    maskNamed(maskPasswordOptions(open, cover), cover).replace(
      bareLogin,
      `${cover}@`,
    ),
    cover,
  );
}

/**
 * A connection string: `Server=h;Password=a b;Database=c`. A value goes up to
 * the next semicolon.
 */
const connection =
  /^(?:jdbc:[^\s;?#]*|[\w .-]+=[^;]*)(?:;[\w\s.-]+=[^;]*)+;?\s*$/;

function maskConnection(text: string, cover: string): string {
  const fields = text.split(';').map((field) => {
    for (const { 0: name, index } of field.matchAll(/[^=]+=\s*/g)) {
      const value = field.slice(index + name.length);
      if (isSecretName(name))
        return isOpen(name, value)
          ? field
          : field.slice(0, index) + name + (value && cover);
    }
    return maskText(field, cover);
  });
  return fields.join(';');
}

/** The `PASSWORD('…')` call of SQL, and that of PowerShell. */
const passwordCall =
  /((?<![\w.-])password\(\s*(?=')|ConvertTo-SecureString\s+(?:-[a-z]{1,30}\s+){0,4})("[^"\n]*"|'[^'\n]*')/gi;

/** A line of .pgpass: `host:port:database:user:password`. */
const passwordLine =
  /^([+ -]?[\w.*-]{1,100}:(?:\d{4,5}|\*):(?:[\w-]{1,60}|\*):[a-z][\w@.-]{0,60}:)\S+$/gim;

/**
 * An address up to a quote, unless it continues after that; without the end of
 * a sentence.
 */
const url =
  /[a-z][a-z\d+.-]{0,30}:\/\/(?:[^\s"'<>`]|["'](?=[\\'"]{0,8}[\w%])|["'<>`](?=[^\s"'<>`/?#]*@))*(?<=[^\s"'<>`\\)\]},;.!?]|\$\{[\w:.-]{1,100}\})/gi;

/**
 * `user:password@host/`, without a scheme before it. Packages and images are
 * written in a similar way.
 */
const bareLogin =
  /(?<![\w.+/@:-])(?!(?:npm|jsr|mailto|file|workspace):)[\w.+-]{1,100}:[^\s:@/"<>]{1,200}@(?!sha\d+:)(?=[\w.-]{1,200}(?::\d|\/))/g;
