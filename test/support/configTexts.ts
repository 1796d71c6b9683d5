/**
 * Random mcp.json texts like those that people and programs write: comments
 * everywhere, duplicate names and keys, files of one line, byte order marks,
 * all kinds of line breaks, tabs, escapes, trailing commas, odd numbers.
 */

/**
 * The source of random choices. At its end, every choice is the first and
 * simplest one, which lets texts shrink.
 */
export class Tape {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  below(count: number): number {
    return (this.#bytes[this.#at++] ?? 0) % count;
  }

  pick<T>(options: readonly [T, ...T[]]): T {
    return options[this.below(options.length)] ?? options[0];
  }

  /** True on average once in `inSo` calls, and never at the end of the tape. */
  once(inSo: number): boolean {
    return this.below(inSo) === inSo - 1;
  }
}

const names = [
  'a',
  'files',
  'enabled',
  'mcpServers',
  '__proto__',
  'constructor',
  '',
  'with space',
  'quo"te',
  'back\\slash',
  'Ünïcödé',
  '😀',
  '\u2028',
  'toString',
  '1',
  'command',
] as const;

export function drawName(tape: Tape): string {
  return tape.pick(names);
}

interface Layout {
  readonly lineBreak: string;
  readonly unit: string;
  readonly oneLine: boolean;
  readonly tight: boolean;
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  /**
   * Sometimes uses another indentation or line break, as after an edit by
   * another program.
   */
  readonly mixed: boolean;
}

export function drawText(tape: Tape): string {
  const layout: Layout = {
    lineBreak: tape.pick(['\n', '\n', '\r\n', '\r']),
    unit: tape.pick(['  ', '    ', '\t', ' ']),
    oneLine: tape.once(5),
    tight: tape.once(4),
    comments: tape.once(2),
    trailingCommas: tape.once(3),
    mixed: tape.once(4),
  };
  const painter = new Painter(tape, layout);
  const bom = tape.once(8) ? '\uFEFF' : '';
  const end = tape.pick([
    layout.lineBreak,
    '',
    layout.lineBreak + layout.lineBreak,
  ]);
  return bom + painter.trivia('') + painter.root() + painter.comment() + end;
}

class Painter {
  readonly #tape: Tape;
  readonly #layout: Layout;

  constructor(tape: Tape, layout: Layout) {
    this.#tape = tape;
    this.#layout = layout;
  }

  root(): string {
    const tape = this.#tape;
    const servers = (): [string, string] => [
      'mcpServers',
      this.#servers(this.#layout.unit),
    ];
    const others = (): [string, string] => [
      tape.pick(['$schema', 'theme', 'inputs']),
      this.#value(this.#layout.unit, 2),
    ];
    const members = [servers()];
    if (tape.once(3)) members.unshift(others());
    if (tape.once(3)) members.push(others());
    if (tape.once(8)) members.unshift(servers());
    if (tape.once(7)) return this.#servers('');
    return this.#object(members, '');
  }

  #servers(indent: string): string {
    const inner = indent + this.#layout.unit;
    const members: [string, string][] = [];
    for (let count = this.#tape.below(5); count > 0; count--) {
      const name = drawName(this.#tape);
      const odd = this.#tape.once(20);
      members.push([name, odd ? this.#value(inner, 1) : this.#entry(inner)]);
    }
    return this.#object(members, indent);
  }

  #entry(indent: string): string {
    const tape = this.#tape;
    const inner = indent + this.#layout.unit;
    const text = (value: string) => this.#string(value);
    const members: [string, string][] = tape.once(3)
      ? [
          ['url', text('https://example.com/mcp?a=b#c')],
          [
            'headers',
            this.#object(
              [['Authorization', text('Bearer /* no comment */ x')]],
              inner,
            ),
          ],
        ]
      : [
          ['command', text('npx')],
          [
            'args',
            this.#array(
              [text('-y'), text('a "b" // no comment'), text('')],
              inner,
            ),
          ],
        ];
    for (let count = tape.below(4); count > 0; count--) {
      const key = tape.pick([
        'enabled',
        'env',
        'timeout',
        'x-unknown',
        'enabled',
        'constructor',
        '__proto__',
        'tools',
        'tools',
      ]);
      const value =
        key === 'enabled'
          ? this.#enabled()
          : key === 'tools'
            ? this.#tools(inner)
            : this.#value(inner, 2);
      members.splice(tape.below(members.length + 1), 0, [key, value]);
    }
    return this.#object(members, indent);
  }

  #enabled(): string {
    return this.#tape.pick(['true', 'false', 'true', 'null', '"false"', '0']);
  }

  #tools(indent: string): string {
    const tape = this.#tape;
    const inner = indent + this.#layout.unit;
    if (tape.once(9)) return this.#value(indent, 1);
    const tool = (): string => {
      if (tape.once(12)) return this.#value(inner, 1);
      const members: [string, string][] = [];
      if (!tape.once(5))
        members.push(['enabled', tape.once(3) ? this.#enabled() : 'false']);
      if (tape.once(3)) members.push(['name', this.#string('x')]);
      if (tape.once(6)) members.unshift(['enabled', this.#enabled()]);
      return this.#object(members, inner);
    };
    return this.#object(
      Array.from({ length: tape.below(4) }, () => [drawName(tape), tool()]),
      indent,
    );
  }

  #value(indent: string, depth: number): string {
    const tape = this.#tape;
    const inner = indent + this.#layout.unit;
    const kind = tape.below(depth > 0 ? 8 : 6);
    if (kind === 7)
      return this.#array(
        [this.#value(inner, depth - 1), this.#value(inner, depth - 1)],
        indent,
      );
    if (kind === 6)
      return this.#object(
        [[drawName(tape), this.#value(inner, depth - 1)]],
        indent,
      );
    if (kind > 2) return this.#string(drawName(tape));
    return tape.pick([
      '1',
      '-0',
      '1.0e+400',
      '12345678901234567890',
      '0.10',
      'null',
      'true',
      'false',
      '{}',
      '[]',
    ]);
  }

  #string(value: string): string {
    const plain = JSON.stringify(value);
    if (!this.#tape.once(6)) return plain;
    const [first = '', ...rest] = value;
    if (first === '' || first.length > 1) return plain;
    const code = first.charCodeAt(0).toString(16).padStart(4, '0');
    return `"\\u${this.#tape.once(2) ? code.toUpperCase() : code}${JSON.stringify(rest.join('')).slice(1)}`;
  }

  #object(members: readonly [string, string][], indent: string): string {
    const parts = members.map(([name, value]) => {
      const colon = this.#layout.tight
        ? ':'
        : this.#tape.pick([': ', ': ', ' : ', ':']);
      return (
        this.#string(name) + this.comment() + colon + this.comment() + value
      );
    });
    return this.#container('{', parts, '}', indent);
  }

  #array(items: readonly string[], indent: string): string {
    return this.#container('[', items, ']', indent);
  }

  #container(
    open: string,
    parts: readonly string[],
    close: string,
    indent: string,
  ): string {
    const layout = this.#layout;
    const tape = this.#tape;
    const flat = layout.oneLine || tape.once(3);
    const unit = layout.mixed
      ? tape.pick([layout.unit, '\t', '   '])
      : layout.unit;
    const space = layout.tight ? '' : ' ';
    const between = () =>
      flat ? space + this.comment() : this.trivia(indent + unit);
    let text =
      open + (parts.length > 0 || tape.once(3) ? between() : this.comment());
    for (const [i, part] of parts.entries()) {
      const last = i === parts.length - 1;
      const comma = last ? layout.trailingCommas && tape.once(2) : true;
      text += part + this.comment() + (comma ? ',' : '');
      text += last ? (flat ? space : this.trivia(indent)) : between();
    }
    return text + this.comment() + close;
  }

  /**
   * A line break and an indentation, with comments at the end of the line and
   * on separate lines.
   */
  trivia(indent: string): string {
    const { lineBreak, oneLine, mixed, comments } = this.#layout;
    if (oneLine) return this.comment();
    const ending = mixed
      ? this.#tape.pick([lineBreak, '\n', '\r\n'])
      : lineBreak;
    let text =
      comments && this.#tape.once(4) ? ` // ${this.#remark()}` : this.comment();
    if (comments && this.#tape.once(5))
      text += `${ending}${indent}// ${this.#remark()}`;
    if (comments && this.#tape.once(8))
      text += `${ending}${indent}/*${ending} ${this.#remark()}${ending}*/`;
    if (this.#tape.once(9)) text += this.#tape.pick([ending, `  ${ending}`]);
    return text + ending + indent;
  }

  comment(): string {
    if (!this.#layout.comments || !this.#tape.once(10)) return '';
    const space = this.#tape.pick(['', ' ']);
    return `${space}/* ${this.#remark()} */${space}`;
  }

  #remark(): string {
    return this.#tape.pick([
      'why',
      '"a": { "command": "x" },',
      '}',
      '{',
      ', ,',
      '"enabled": true',
      'é😀',
      '\\',
    ]);
  }
}
