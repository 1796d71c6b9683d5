/** The shape of answers: their fields and types. */

/** The types of each place in answers, such as `items[].title`. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/** Paths at which names are data and not fields. In a path they are `*`. */
const maps =
  /(?:^|\.)(?:tags|usage_to_metrics|initial_env|blocked_actions|agent_state|mcp_config|env|headers)$/;

/** The shape of all these answers together. */
export function shapeOf(answers: readonly unknown[]): Shape {
  const shape = new Map<string, Set<string>>();
  const note = (path: string, type: string) => {
    shape.set(path, (shape.get(path) ?? new Set()).add(type));
  };
  const visit = (value: unknown, path: string) => {
    // Repeats the input, which can be anything.
    if (path.endsWith('[].input')) {
      note(path, 'anything');
      return;
    }
    note(path, typeOf(value));
    if (Array.isArray(value)) {
      for (const each of value) visit(each, `${path}[${kindOf(each)}]`);
      noteAbsent(value, path);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value))
        visit(each, join(path, maps.test(path) ? '*' : name));
    }
  };
  /** Notes the fields that only some records of a list have. */
  const noteAbsent = (records: readonly unknown[], path: string) => {
    const kinds = Map.groupBy(records.filter(isRecord), kindOf);
    for (const [kind, some] of kinds) {
      for (const name of new Set(some.flatMap(Object.keys))) {
        if (some.some((each) => !(name in each)))
          note(join(`${path}[${kind}]`, name), absent);
      }
    }
  };
  for (const answer of answers) visit(answer, '');
  return shape;
}

const absent = 'nothing';

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Events of different kinds have different fields. */
function kindOf(value: unknown): string {
  const { kind, timestamp } = (value ?? {}) as {
    kind?: unknown;
    timestamp?: unknown;
  };
  return typeof kind === 'string' && timestamp !== undefined ? kind : '';
}

export function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value;
}

/**
 * The differences of two shapes. A field of only one of them is not a
 * difference if the other has nothing to show: null, or an empty list.
 */
export function differences(
  demo: Shape,
  real: Shape,
): readonly { path: string; what: string }[] {
  const paths = [...new Set([...demo.keys(), ...real.keys()])].sort();
  return paths.flatMap((path) => {
    const sometimes = (shape: Shape) =>
      isOptional(shape.get(path)) ? ', and not always' : '';
    const inDemo = typesIn(demo, path);
    const inReal = typesIn(real, path);
    if (!inDemo && !inReal) return [];
    if (!inDemo)
      return showsParent(demo, path)
        ? [{ path, what: 'only the real one has it' + sometimes(real) }]
        : [];
    if (!inReal)
      return showsParent(real, path)
        ? [{ path, what: 'only the demo has it' + sometimes(demo) }]
        : [];
    if (inDemo === inReal || inDemo === 'null' || inReal === 'null') return [];
    return [{ path, what: `${inDemo} in the demo, ${inReal} in the real one` }];
  });
}

function isOptional(types: ReadonlySet<string> | undefined): boolean {
  return types !== undefined && (types.has(absent) || types.has('null'));
}

/** Omits missing types, and null unless it is the only one. */
function typesIn(shape: Shape, path: string): string | undefined {
  const types = shape.get(path);
  if (!types) return undefined;
  return (
    [...types]
      .filter((type) => type !== 'null' && type !== absent)
      .sort()
      .join(' or ') || 'null'
  );
}

/**
 * True if there is a value that could have this field. An empty list or map has
 * none.
 */
function showsParent(shape: Shape, path: string): boolean {
  const parent = path.endsWith(']')
    ? undefined
    : path.slice(0, Math.max(0, path.lastIndexOf('.')));
  return (
    parent !== undefined &&
    !path.endsWith('*') &&
    path !== '' &&
    (shape.get(parent)?.has('object') ?? false)
  );
}
