/**
 * A certificate that nobody has signed but itself, as private services have
 * them.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certified {
  /** Both as PEM. */
  readonly certificate: string;
  readonly key: string;
}

const day = 86_400_000;

/** Makes a certificate for this host, valid from yesterday until tomorrow. */
export function selfSigned(host: string): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  });
  const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
  const name = sequence(
    element(
      0x31,
      sequence(identifier('550403'), element(0x0c, Buffer.from(host))),
    ),
  );
  const isAuthority = extension(
    '551d13',
    sequence(element(0x01, Buffer.from([0xff]))),
  );
  const names = extension('551d11', sequence(element(0x82, Buffer.from(host))));
  const signed = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    // Positive, and as short as it can be.
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(isAuthority, names)),
  );
  const signature = element(
    0x03,
    Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)]),
  );
  const base64 = sequence(signed, ecdsaWithSha256, signature).toString(
    'base64',
  );
  const lines = base64.match(/.{1,64}/g) ?? [];
  return {
    certificate: [
      '-----BEGIN CERTIFICATE-----',
      ...lines,
      '-----END CERTIFICATE-----',
      '',
    ].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** An element of DER: its tag, its length, its content. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const bytes =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function integer(content: Buffer): Buffer {
  return element(0x02, content);
}

function identifier(hex: string): Buffer {
  return element(0x06, Buffer.from(hex, 'hex'));
}

function extension(hex: string, value: Buffer): Buffer {
  return sequence(identifier(hex), element(0x04, value));
}

function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds)
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, '');
  return element(0x17, Buffer.from(text.slice(2)));
}
