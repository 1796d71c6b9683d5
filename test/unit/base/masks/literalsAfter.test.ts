import assert from 'node:assert/strict';
import { literalsAfter } from '../../../../src/base/masks/literalsAfter.ts';

/**
 * The text with each literal covered that belongs to the expression at its
 * beginning.
 */
function covered(text: string, at = 0): string {
  let result = '';
  let done = 0;
  for (const { start, end } of literalsAfter(text, at)) {
    result += `${text.slice(done, start)}••`;
    done = end;
  }
  return result + text.slice(done);
}

describe('the literals of an expression', () => {
  for (const [text, result] of [
    // Fallback values
    ['a.b ?? "x y";', 'a.b ?? ••;'],
    ['a.b ??= "x";', 'a.b ??= ••;'],
    ['a.b || "x"', 'a.b || ••'],
    ['a.b ||= "x"', 'a.b ||= ••'],
    ['a.b ?: "x"', 'a.b ?: ••'],
    ['a.b // "x"', 'a.b // ••'],
    ['a.b && "x"', 'a.b && ••'],
    ['a.b or "x"', 'a.b or ••'],
    ['a.b and "x"', 'a.b and ••'],
    ['a.b + "x" + "y"', 'a.b + •• + ••'],
    ['a.b ? "x" : "y"', 'a.b ? •• : ••'],
    ['a.b ? b("x") : "y"', 'a.b ? b(••) : ••'],
    ['a.b != "" ? a.b : "x"', 'a.b != "" ? a.b : ••'],
    ['a === "b" ? "x" : c', 'a === "b" ? •• : c'],
    ['"x" if a == "b" else "y"', '•• if a == "b" else ••'],
    ['b.c if a.b else "x"', 'b.c if a.b else ••'],
    // A word before them can be a value
    ['other ?? "x"', '•• ?? ••'],
    ['other || "x"', '•• || ••'],
    ['other ?: "x"', '•• ?: ••'],
    ['other // "x"', '•• // ••'],
    ['other && "x"', '•• && ••'],
    ['other or "x"', '•• or ••'],
    ['other and "x"', '•• and ••'],
    ['other?? "x"', '••?? ••'],
    ['other  ?? "x"', '••  ?? ••'],
    ['other = "x"', 'other = ••'],
    ['hunter2b = "x"', '•• = ••'],
    ['int32 = "x"', 'int32 = ••'],
    ['u128 = "x"', 'u128 = ••'],
    ['u1289 = "x"', '•• = ••'],
    ['Int32 = "x"', '•• = ••'],
    ['other.a ?? "x"', 'other.a ?? ••'],
    ['other + "x"', 'other + ••'],
    ['other orbit "x"', 'other orbit "x"'],
    ['!other ?? "x"', '!other ?? "x"'],
    // Types
    ['str = "x"', 'str = ••'],
    ['str="x"', 'str=••'],
    ['&str = "x"', '&str = ••'],
    ['*a = "x"', '*a = ••'],
    ['**a = "x"', '**a = ••'],
    ['_a = "x"', '_a = ••'],
    ['[]byte = "x"', '[]byte = ••'],
    ['[16]byte = "x"', '[16]byte = ••'],
    [`[${'a'.repeat(20)}]b = "x"`, `[${'a'.repeat(20)}]b = ••`],
    ['string | undefined = "x"', 'string | undefined = ••'],
    ['Optional[str] = "x"', 'Optional[str] = ••'],
    ['Map<string, a.B[]> = b("x")', 'Map<string, a.B[]> = b(••)'],
    ['() => string = "x"', '() => string = "x"'],
    ['a::B? = "x"', 'a::B? = ••'],
    ['a! = "x"', 'a! = ••'],
    ['&\'static str = "x"', "&'static str = ••"],
    ['&\'a mut b = "x"', "&'a mut b = ••"],
    ['B<\'a> = "x"', "B<'a> = ••"],
    ['a & b = "x"', 'a & b = ••'],
    ['a& b = "x"', 'a& b = "x"'],
    ['a - b = "x"', 'a - b = "x"'],
    ['a = b = "x"', 'a = b = "x"'],
    ['a == "x"', 'a == "x"'],
    ['a === "x"', 'a === "x"'],
    ['a != "x"', 'a != "x"'],
    ['a !== "x"', 'a !== "x"'],
    ['a -> "x"', 'a -> "x"'],
    ['a => "x"', 'a => ••'],
    // Numbers
    ['int = 1234', 'int = ••'],
    ['int = 123', 'int = 123'],
    ['int = 1234b', 'int = 1234b'],
    ['int = b1234', 'int = b1234'],
    ['int + 1234', 'int + 1234'],
    ['f(pin=1234, b=5678)', 'f(pin=••, b=••)'],
    // Calls, lists and objects
    ['f("x", "y")', 'f(••, ••)'],
    ['f(a, "x")', 'f(a, ••)'],
    ['f( "x" )', 'f( •• )'],
    ['f(a="x")', 'f(a=••)'],
    ['f(a = "x")', 'f(a = ••)'],
    ['f(a, b = "x")', 'f(a, b = ••)'],
    ['new F("x")', 'new F(••)'],
    ['await f("x")', 'await f(••)'],
    ['new Set(["x", "y"])', 'new Set([••, ••])'],
    ['f(() => "x")', 'f(() => ••)'],
    ['f(|_| "x")', 'f(|_| ••)'],
    ['f(a) { "x" }', 'f(a) { •• }'],
    ['f("x").b("y")', 'f(••).b(••)'],
    ['f(a) ?? "x"', 'f(a) ?? ••'],
    ['f(a "x", "y")', 'f(a "x", ••)'],
    ['f(a: "x", user: "y")', 'f(a: ••, user: "y")'],
    ['f({ a: "x", "b": "y" })', 'f({ a: "x", "b": "y" })'],
    ['f(a, [{ b: "x" }], "y")', 'f(a, [{ b: •• }], ••)'],
    ['f(a, { b: "x" }, "y")', 'f(a, { b: "x" }, ••)'],
    ['f(a, { b: c("x", d: "y") })', 'f(a, { b: c(••, d: "y") })'],
    ['a { b: "x", "c" : "y", user: "z" }', 'a { b: ••, "c" : ••, user: "z" }'],
    ['a = { b: "x", "user": "z" }', 'a = { b: ••, "user": "z" }'],
    ['a = {\n  b: "x",\n  "c": "y",\n}', 'a = {\n  b: ••,\n  "c": ••,\n}'],
    ['a = { b: c("x"), d: "y" }', 'a = { b: c(••), d: •• }'],
    ['f({ a: b ? "x" : "y" })', 'f({ a: b ? •• : •• })'],
    ['f(a ?? "x", { "b": "y" })', 'f(a ?? ••, { "b": "y" })'],
    ['a ? { "b": "x" } : c', 'a ? { ••: •• } : c'],
    ['dict[str, str] = {"a": "x"}', 'dict[str, str] = {"a": ••}'],
    // Names that are looked up
    ['f["a"] ?? "x"', 'f["a"] ?? ••'],
    ['f()["a"] ?? "x"', 'f()["a"] ?? ••'],
    ['f[0]["a"] ?? "x"', 'f[0]["a"] ?? ••'],
    ['f!["a"] ?? "x"', 'f!["a"] ?? ••'],
    ['$f["a"] ?? "x"', '$f["a"] ?? ••'],
    ['f(() => ["x"])', 'f(() => [••])'],
    ['a != ["x"] ?? "y"', 'a != [••] ?? ••'],
    ['f(a -> ["x"])', 'f(a -> [••])'],
    ['f?.["a"] ?? "x"', 'f?.["a"] ?? ••'],
    ['f<b>["a"] ?? "x"', 'f<b>["a"] ?? ••'],
    ['str = ["a"]', 'str = [••]'],
    ['f("API_KEY", "x")', 'f("API_KEY", ••)'],
    ['f("HOME") ?? "x"', 'f("HOME") ?? ••'],
    ['f("apiKey") ?? "x"', 'f("apiKey") ?? ••'],
    ['f("HOME2") ?? "x"', 'f(••) ?? ••'],
    ['f("2HOME") ?? "x"', 'f(••) ?? ••'],
    ['f("API_KEY")', 'f(••)'],
    ['f(a, "API_KEY") ?? "x"', 'f(a, ••) ?? ••'],
    // Kinds of quotes
    ["a.b ?? 'x'", 'a.b ?? ••'],
    ['a.b ?? `x`;', 'a.b ?? ••;'],
    ['a.b ?? f"x";', 'a.b ?? ••;'],
    ['a.b ?? $@"x";', 'a.b ?? ••;'],
    ['a.b ?? abc"x";', 'a.b ?? abc"x";'],
    ['a.b ?? "x\\"y";', 'a.b ?? ••;'],
    ['a.b ?? "x\'y";', 'a.b ?? ••;'],
    ['a.b ?? "x', 'a.b ?? ••'],
    ['a.b ?? "x\ny"', 'a.b ?? "x\ny"'],
    ['f"x y";', '••;'],
    ['rb"x y" or "z";', '•• or ••;'],
    ['$"x y";', '••;'],
    ['@$"x y";', '••;'],
    ["$'x y'", '••'],
    ['f"x" if a else "y"', '•• if a else ••'],
    // A literal before others
    ['"x" ?? "y"', '•• ?? ••'],
    ['"x" || "y"', '•• || ••'],
    ["'x' + 'y'", '•• + ••'],
    ['`x`.concat("y")', '••.concat(••)'],
    ['"x" if a else "y"', '•• if a else ••'],
    ['"x" + \n "y"', '•• + \n ••'],
    // Ends of the expression
    ['a.b, "x"', 'a.b, "x"'],
    ['f(a), "x"', 'f(a), "x"'],
    ['a.b; c ?? "x"', 'a.b; c ?? "x"'],
    ['a.b # c ?? "x"', 'a.b # c ?? "x"'],
    ['a.b % c ?? "x"', 'a.b % c ?? "x"'],
    ['a.b ^ c ?? "x"', 'a.b ^ c ?? "x"'],
    ['a.b ~ c ?? "x"', 'a.b ~ c ?? "x"'],
    ['a.b \\ c ?? "x"', 'a.b \\ c ?? "x"'],
    ['a.b) ?? "x"', 'a.b) ?? "x"'],
    ['a.b] ?? "x"', 'a.b] ?? "x"'],
    ['a.b} ?? "x"', 'a.b} ?? "x"'],
    ['a.b renew + "x"', 'a.b renew + "x"'],
    ['a.b newer + "x"', 'a.b newer + "x"'],
    ['a :: "x" ?? "y"', 'a :: "x" ?? "y"'],
    ['a.b c ?? "x"', 'a.b c ?? "x"'],
    ['f(a b ?? "x")', 'f(a b ?? "x")'],
    ['a.b "x" + "y"', 'a.b "x" + "y"'],
    ['a.b ?? "x" "y" + "z"', 'a.b ?? •• "y" + "z"'],
    ['https://b or "x"', 'https://b or "x"'],
    ['a {\n"x"', 'a {\n"x"'],
    ['a { \r\n"x"', 'a { \r\n"x"'],
    ['f(a) { "x" \n}', 'f(a) { •• \n}'],
    // Lines
    ['a.b\n?? "x"', 'a.b\n?? ••'],
    ['a.b\n  || "x"', 'a.b\n  || ••'],
    ['a.b\n  ?: "x"', 'a.b\n  ?: ••'],
    ['a.b\n  ? "x"\n  : "y"', 'a.b\n  ? ••\n  : ••'],
    ['a\n  .b("x")', 'a\n  .b(••)'],
    ['a.b\n  + "x"', 'a.b\n  + ••'],
    ['a.b\n or "x"', 'a.b\n or ••'],
    ['a.b\n // "x"', 'a.b\n // ••'],
    ['a.b ??\n  "x"', 'a.b ??\n  ••'],
    ['f(\n  a,\n  "x"\n)', 'f(\n  a,\n  ••\n)'],
    ['f(a\n, "x")', 'f(a\n, ••)'],
    ['a.b ??\n+  "x"', 'a.b ??\n+  ••'],
    ['a.b ??\n-"x"', 'a.b ??\n-••'],
    ['a.b\n+  ?? "x"', 'a.b\n+  ?? ••'],
    ['a:\n"x" ?? "y"', 'a:\n"x" ?? ••'],
    ['a.b\nc.d ?? "x"', 'a.b\nc.d ?? "x"'],
    ['a.b\nc ?? "x"', 'a.b\nc ?? "x"'],
    ['a.b\norbit ?? "x"', 'a.b\norbit ?? "x"'],
    ['a.b\n:b ?? "x"', 'a.b\n:b ?? "x"'],
    // Others
    ['"x"', '"x"'],
    ["'x'.a(b)", "'x'.a(b)"],
    ['"x": a ?? "y"', '"x": a ?? "y"'],
    ['`x` | "y"', '`x` | "y"'],
    ['"x", "y"', '"x", "y"'],
    ['"x" "y"', '"x" "y"'],
    ['5 ?? "x"', '5 ?? "x"'],
    ['(a ?? "x")', '(a ?? "x")'],
    ['["x"]', '["x"]'],
    ['[a b]c ?? "x"', '[a b]c ?? "x"'],
    ['$5 ?? "x"', '$5 ?? "x"'],
    ['$a.b ?? "x"', '$a.b ?? ••'],
    ['@a.b ?? "x"', '@a.b ?? ••'],
    ['a.b.c', 'a.b.c'],
    ['', ''],
  ] as const) {
    it(`covers those of ${JSON.stringify(text)}: ${JSON.stringify(result)}`, () => {
      assert.equal(covered(text), result);
    });
  }

  for (const text of [
    'new',
    'await',
    'if',
    'else',
    'or',
    'and',
    'not',
    'in',
    'is',
    'mut',
    'dyn',
    'const',
  ]) {
    it(`reads on after the word ${text}`, () => {
      assert.equal(covered(`a.b ?? ${text} f("x")`), `a.b ?? ${text} f(••)`);
    });
  }

  it('returns the value of a literal without its quotes', () => {
    const values = literalsAfter('a.b(rb"x y", 1) ?? \'z\' + int', 0).map(
      ({ value }) => value,
    );
    assert.deepEqual(values, ['x y', 'z']);
    assert.deepEqual(
      literalsAfter('int = 1234', 0).map(({ value }) => value),
      ['1234'],
    );
    assert.deepEqual(
      literalsAfter('other ?? ""', 0).map(({ value }) => value),
      ['other', ''],
    );
  });

  it('begins anywhere in a text', () => {
    assert.equal(
      covered('"a" + token = other ?? "x";', 14),
      '"a" + token = •• ?? ••;',
    );
  });

  it('reads 300 characters, and a literal that begins in them to its end', () => {
    const long = (length: number) => 'a.b ?? "x" +'.padEnd(length);
    assert.equal(
      covered(`${long(299)}"${'y'.repeat(500)}" + "z"`),
      `${long(299).replace('"x"', '••')}•• + "z"`,
    );
    assert.equal(
      covered(`${long(290)}"${'y'.repeat(500)}`),
      `${long(290).replace('"x"', '••')}••`,
    );
    assert.equal(
      covered(`${long(300)}"y"`),
      `${long(300).replace('"x"', '••')}"y"`,
    );
  });
});
