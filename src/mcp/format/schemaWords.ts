/** The keys of a JSON schema and its snippets whose values are texts, or lists of texts, for people. */
const texts: ReadonlySet<string> = new Set([
  'title',
  'description',
  'markdownDescription',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'label',
]);

/** Those whose values are what is or may be in a file, whatever it looks like. */
const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'body']);

/** A copy of a JSON schema in which each text for people is replaced by what `translate` gives for it. */
export function inWords<T>(schema: T, translate: (text: string) => string): T {
  const copy = (value: unknown, change: (key: string, inner: unknown) => unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => change('', item));
    if (!(value instanceof Object)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(key, inner)]));
  };
  const said = (value: unknown): unknown =>
    typeof value === 'string' ? translate(value) : copy(value, (_, item) => said(item));
  const part = (key: string, value: unknown): unknown => {
    if (texts.has(key)) return said(value);
    if (values.has(key)) return value;
    // Its keys are names, whatever they are called.
    return copy(value, key === 'properties' ? (_, property) => part('', property) : part);
  };
  return part('', schema) as T;
}
