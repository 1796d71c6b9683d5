import {
  json,
  type HttpAnswer,
  type Call,
} from '../../../../src/demo/wire/http.ts';
import type { Effect, Effects } from './effect.ts';
import {
  eachRecord,
  eachText,
  isJsonObject,
  type JsonFields,
} from './shapes.ts';

/** Looks like a token of a code host. */
export const leakedToken = `ghp_${'demoSecret'.repeat(3)}123456`;

/** Odd records. */
export const recordEffects: Effects<
  | 'zonelessDates'
  | 'unknownValues'
  | 'brokenRecords'
  | 'missingFields'
  | 'extraFields'
  | 'hostileIds'
  | 'hostileTitles'
  | 'leakyDetails'
  | 'taskNeverEnds'
> = {
  zonelessDates: () => onRecords((record) => mapValues(record, zoneless)),

  unknownValues: () =>
    onRecords((record, index) =>
      index % 2 === 1 || isEnded(record)
        ? record
        : mapValues(record, (value, name) => unknown[name] ?? value),
    ),

  brokenRecords: () =>
    onRecords((record, index) =>
      index % 3 === 0 ? breakRecord(record, index / 3) : record,
    ),

  missingFields: () => ({
    change: (answer) => {
      const bare = eachRecord(answer, (record) =>
        Object.fromEntries(
          Object.entries(record).filter(([name, value]) =>
            isNeeded(record, name, value),
          ),
        ),
      );
      return isJsonObject(bare.content) && bare.content.next_page_id === null
        ? json({ ...bare.content, next_page_id: undefined })
        : bare;
    },
  }),

  extraFields: () => ({
    change: (answer) => {
      const more = eachRecord(answer, (record) => ({ ...record, ...extras }));
      return isJsonObject(more.content)
        ? { ...more, content: { ...more.content, ...extras } }
        : more;
    },
  }),

  hostileIds: () => ({
    ask: (call) => eachText(call, (text) => text.replaceAll(detour, '')),
    ...onRecords((record) =>
      mapValues(record, (value, name) =>
        idFields.includes(name) && typeof value === 'string'
          ? `${detour}${value}`
          : value,
      ),
    ),
  }),

  hostileTitles: () =>
    onRecords((record, index, count) =>
      'title' in record
        ? {
            ...record,
            title:
              index === count - 1 ? megabyte : titles[index % titles.length],
          }
        : record,
    ),

  leakyDetails: () => ({
    change: (answer, { call }) =>
      eachRecord(answer, (record) =>
        mapValues(record, (value, name) =>
          (name === 'detail' || name === 'status_detail') &&
          typeof value === 'string'
            ? `${leak(call)} ${value}`
            : value,
        ),
      ),
  }),

  taskNeverEnds: () =>
    onRecords((record) =>
      'app_conversation_id' in record
        ? {
            ...record,
            status: 'WAITING_FOR_SANDBOX',
            app_conversation_id: null,
            detail: null,
          }
        : record,
    ),
};

function onRecords(
  change: (record: JsonFields, index: number, count: number) => unknown,
): Effect {
  return { change: (answer: HttpAnswer) => eachRecord(answer, change) };
}

function leak({ headers }: Call): string {
  const key = headers['x-session-api-key'] ?? '';
  return `Cloning https://x-access-token:${leakedToken}@code.invalid/shop.git for ${key} (${encodeURIComponent(key)}):`;
}

function mapValues(
  record: JsonFields,
  change: (value: unknown, name: string) => unknown,
): JsonFields {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(value, name)]),
  );
}

function zoneless(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    ? `${value.slice(0, -1)}056`
    : value;
}

/** Undocumented values for the fields that are enumerations. */
const unknown: Readonly<Partial<Record<string, string>>> = {
  status: 'HIBERNATING',
  runtime_status: 'STATUS$DEFROSTING',
  trigger: 'carrier_pigeon',
  git_provider: 'code_host_z',
  sandbox_status: 'EVAPORATED',
  execution_status: 'daydreaming',
};

/** A start task that has ended says so in every version. */
function isEnded(record: JsonFields): boolean {
  return (
    'app_conversation_id' in record &&
    (record.status === 'READY' || record.status === 'ERROR')
  );
}

function breakRecord(record: JsonFields, number: number): unknown {
  const kinds: readonly unknown[] = [
    Object.fromEntries(
      Object.entries(record).filter(([name]) => !idFields.includes(name)),
    ),
    mapValues(record, () => null),
    null,
    mapValues(record, (value, name) => (idFields.includes(name) ? 42 : value)),
    'a text where a record should be',
    mapValues(record, (value, name) =>
      idFields.includes(name) ? value : { wrong: [value] },
    ),
    [record],
    mapValues(record, (value, name) =>
      name === 'title' || name === 'status' ? null : value,
    ),
    mapValues(record, (value, name) =>
      name.endsWith('_at') ? 'yesterday' : name === 'pr_number' ? '12' : value,
    ),
  ];
  return kinds[number % kinds.length];
}

const idFields = ['id', 'conversation_id', 'app_conversation_id', 'sandbox_id'];

/**
 * Conversations have an id and a title, sandboxes an id and a status, specs an
 * id, start tasks all that is not null and no time.
 */
function isNeeded(record: JsonFields, name: string, value: unknown): boolean {
  if ('app_conversation_id' in record)
    return value !== null && !name.endsWith('_at');
  if (name === 'status') return 'sandbox_spec_id' in record;
  return ['id', 'conversation_id', 'title'].includes(name);
}

const extras: JsonFields = {
  agent_kind: 'future',
  tags: { team: 'checkout', nested: [{ deep: null }] },
  constructor: 'a field of this name',
  toString: null,
  ['__proto__']: { polluted: true },
};

/** Leads somewhere else if it is put into an address without encoding. */
const detour = '../../admin?delete=1&id=#';

const titles: readonly string[] = [
  '**bold** [a link](command:workbench.action.quit) ![image](https://attacker.invalid/pixel.png)',
  '<img src=x onerror=alert(1)><script>alert(2)</script>',
  '$(error) $(sync~spin) Not an icon',
  'ends in \u202Egnp.exe\u202C and \u2066hides\u2069 a \u200Bspace',
  'first line\nsecond line\r\nthird line\u2028fourth line',
  'a null \u0000, a bell \u0007 and a colour \u001B[31mred\u001B[0m',
  '',
  '   ',
  '\u{1F9D1}\u200D\u{1F4BB} a lone \uD83D surrogate and \u{E0041} tag',
];

const megabyte = 'long '.repeat(1024 * 1024 * 0.2);
