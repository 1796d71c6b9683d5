const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const values = new Map(Array.from(digits, (digit, value) => [digit, value]));

/** The bytes in lines as Git writes them: the first letter says how many bytes a line has. */
export function base85(lines: readonly string[]): Uint8Array {
  return Buffer.concat(lines.map(bytesOf));
}

function bytesOf(line: string): Uint8Array {
  const length = lengthOf(line.charCodeAt(0));
  const bytes = Buffer.alloc(Math.ceil((line.length - 1) / 5) * 4);
  for (let group = 0; group * 5 + 1 < line.length; group++) {
    let value = 0;
    for (const digit of line.slice(group * 5 + 1, group * 5 + 6))
      value = value * 85 + (values.get(digit) ?? 0);
    bytes.writeUInt32BE(value % 2 ** 32, group * 4);
  }
  return bytes.subarray(0, length);
}

/** A is 1, Z is 26, a is 27. */
function lengthOf(letter: number): number {
  return letter >= 97 ? letter - 97 + 27 : letter - 64;
}
