/**
 * Checks how a server is reached: its URL, headers and variables, and values
 * that are not filled in.
 */
import { t } from '../../base/l10n.ts';
import { isThisMachine } from '../../base/loopback.ts';
import { impliedTransport, transportOf } from '../dialects/dialects.ts';
import { quotedName } from '../format/document.ts';
import type { Entry } from '../format/entry.ts';
import { hasPlaceholder, isPlaceholder } from '../format/placeholders.ts';
import {
  isHeaderName,
  isHeaderValue,
  isVariableName,
  isVariableValue,
  schemeOf,
  urlFault,
} from '../format/serverRules.ts';
import { hasReference, isBelowHome, leftoversIn } from '../format/variables.ts';
import { replaceSpan } from '../text/withEdits.ts';
import type { CheckedEntry, Fix, ProblemCollector } from './problem.ts';
import {
  type Member,
  nameSpan,
  type Node,
  type ObjectNode,
  rawOf,
  stringOf,
} from '../text/nodes.ts';

export function checkConnection(entry: CheckedEntry): void {
  checkTransport(entry);
  checkAddress(entry);
  checkLeftovers(entry);
  for (const name of ['env', 'headers']) {
    const record = entry.record(name);
    if (!record) continue;
    entry.problems.reportDuplicates('duplicateKey', record);
    if (name === 'headers') checkHeaders(entry.problems, record);
    else checkVariables(entry.problems, record);
  }
}

function checkAddress(entry: CheckedEntry): void {
  const field = entry.keys.get('url');
  const url = stringOf(field?.value);
  // checkLeftovers reports values that are not filled in.
  if (!field || url === undefined || isPlaceholder(url) || hasReference(url))
    return;
  const report = (message: string, fixes?: () => Fix[]) => {
    entry.problems.report('badUrl', field.value, message, fixes);
  };
  switch (urlFault(url)) {
    case 'spaces':
      report(t('A URL cannot contain spaces. Remove them.'), () =>
        trimFixes(entry.problems, field, url),
      );
      break;
    case 'noScheme':
      report(
        t(
          'This is not a URL. A URL begins with "https://", or with "http://" on this machine.',
        ),
        () => schemeFixes(entry.problems, field, url),
      );
      break;
    case 'otherScheme':
      report(
        t(
          'MCP servers are reached over "https://", or "http://" on this machine. Change the URL.',
        ),
      );
      break;
    case 'invalid':
      report(t('This is not a valid URL.'));
      break;
    case undefined:
      if (schemeOf(url) === 'http') checkSecrecy(entry, field, url);
  }
}

function trimFixes(
  problems: ProblemCollector,
  field: Member,
  url: string,
): Fix[] {
  const trimmed = url.trim();
  if (urlFault(trimmed) !== undefined) return [];
  return [
    problems.fix(t('Remove the spaces'), [
      replaceSpan(field.value, JSON.stringify(trimmed)),
    ]),
  ];
}

const hostLike =
  /^(?:\/\/)?((?:[\w-]+\.)+[a-z][\w-]*|localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\])(?::\d+)?(?:[/?#]\S*)?$/i;

function schemeFixes(
  problems: ProblemCollector,
  field: Member,
  url: string,
): Fix[] {
  const host = hostLike.exec(url)?.[1];
  if (host === undefined) return [];
  const scheme = isThisMachine(host) ? 'http' : 'https';
  const whole = `${scheme}://${url.replace(/^\/\//, '')}`;
  if (!URL.canParse(whole)) return [];
  const edits = [replaceSpan(field.value, JSON.stringify(whole))];
  return [problems.fix(t('Add "{0}://"', scheme), edits)];
}

function checkSecrecy(entry: CheckedEntry, field: Member, url: string): void {
  const { hostname, username, password, searchParams } = new URL(url);
  if (isThisMachine(hostname)) return;
  const headers = entry.record('headers')?.members ?? [];
  const sendsSecret =
    username !== '' ||
    password !== '' ||
    entry.keys.get('auth') !== undefined ||
    headers.some(({ name }) => !harmless.test(name)) ||
    [...searchParams.keys()].some((name) => secretName.test(name));
  if (!sendsSecret) return;
  const message = t(
    'Secrets in the URL, the headers or "auth" are sent to another machine without encryption. Use "https://".',
  );
  entry.problems.report('insecureUrl', field.value, message, () => {
    const secure = JSON.stringify(url.replace(/http/i, 'https'));
    return [
      entry.problems.fix(t('Change to "https://"'), [
        replaceSpan(field.value, secure),
      ]),
    ];
  });
}

const harmless =
  /^(?:accept(?:-.*)?|content-type|user-agent|cache-control|connection|mcp-protocol-version)$/i;
const secretName =
  /key|token|secret|pass|pwd|auth|credential|sig|jwt|session|code/i;

/**
 * Reports a URL that means another transport in the program that the entry
 * comes from.
 */
function checkTransport(entry: CheckedEntry): void {
  const { keys } = entry;
  const url = keys.get('url');
  if (!url || keys.has('transport')) return;
  const implied = impliedTransport((key) => keys.has(key));
  if (
    !implied ||
    entry.server?.transport !== 'http' ||
    transportOf(entry.string('type'))
  )
    return;
  const message = t(
    'Without "transport", this URL means "{0}" in other programs, and "http" here.',
    implied,
  );
  const add = (transport: string) =>
    entry.problems.fix(
      t('Add "transport": "{0}"', transport),
      entry.insert('transport', transport),
    );
  entry.problems.report('impliedTransport', url.value, message, () => [
    add(implied),
    add('http'),
  ]);
}

function checkHeaders(problems: ProblemCollector, headers: ObjectNode): void {
  for (const field of headers.members) {
    const { name } = field;
    const value = stringOf(field.value);
    if (value !== undefined && !isHeaderValue(value)) {
      const message = t(
        '{0} has a line break or another control character in its value. Remove it.',
        quotedName(name),
      );
      problems.report('badHeaderValue', field.value, message);
    }
    if (isHeaderName(name)) continue;
    const message =
      name === ''
        ? t('This header has no name. Give it one.')
        : t(
            '{0} is not a valid header name. Use letters, digits and hyphens.',
            quotedName(name),
          );
    problems.report('badHeaderName', nameSpan(field), message, () => {
      const better = name.replace(/[\s:]+$|^\s+/g, '').replace(/\s+/g, '-');
      const taken = headers.members.some((other) => other.name === better);
      if (!isHeaderName(better) || taken) return [];
      return [problems.renameFix(field, better)];
    });
  }
}

function checkVariables(problems: ProblemCollector, env: ObjectNode): void {
  for (const field of env.members) {
    const { name, value } = field;
    if (!isVariableName(name)) {
      const message =
        name === ''
          ? t('This variable has no name. Give it one.')
          : t(
              '{0} is not a valid variable name. Leave out spaces and "=".',
              quotedName(name),
            );
      problems.report('badVariable', nameSpan(field), message);
    } else if (!isVariableValue(stringOf(value) ?? '')) {
      problems.report(
        'badVariable',
        value,
        t('{0} has a NUL character in its value. Remove it.', quotedName(name)),
      );
    }
  }
}

/**
 * Reports placeholders, and references to variables that the program does not
 * replace.
 */
function checkLeftovers(entry: CheckedEntry): void {
  for (const key of ['command', 'url', 'cwd', 'auth'] as const) {
    const value = entry.keys.get(key)?.value;
    if (value)
      checkValue(
        entry.problems,
        value,
        key,
        key === 'command' || key === 'cwd',
      );
  }
  const args = entry.keys.get('args')?.value;
  if (args?.type === 'array' && !startsShell(entry)) {
    for (const value of args.items)
      checkValue(entry.problems, value, 'args', true);
  }
  for (const key of ['env', 'headers'] as const) {
    for (const { name, value } of entry.record(key)?.members ?? [])
      checkValue(entry.problems, value, name);
  }
}

/** Recognizes a shell, which replaces variables and `~` itself. */
function startsShell(entry: Entry): boolean {
  const shell =
    /(?:^|[/\\])(?:(?:ba|z|da|k|fi)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i;
  return shell.test(entry.string('command') ?? '');
}

/** `isPath`: a shell would replace a leading `~`. */
function checkValue(
  problems: ProblemCollector,
  node: Node,
  key: string,
  isPath = false,
): void {
  const value = stringOf(node);
  if (value === undefined) return;
  if (hasPlaceholder(value)) {
    const message = t(
      'A value of {0} is still a placeholder. Replace it with the real value.',
      quotedName(key),
    );
    problems.report('placeholder', node, message);
    return;
  }
  if (isPath && isBelowHome(value)) {
    const at = { start: node.start + 1, end: node.start + 2 };
    const message = t(
      '"~" is not replaced here: it is passed as written. Write ${HOME}, or the whole path.',
    );
    const edits = [replaceSpan(at, '${HOME}')];
    problems.report('notExpanded', at, message, () => [
      problems.fix(t('Change to {0}', '${HOME}'), edits),
    ]);
  }
  if (!value.includes('$')) return;
  for (const { start, end, instead } of leftoversIn(rawOf(node))) {
    const at = { start: node.start + start, end: node.start + end };
    const message = t(
      'Only ${NAME} and ${NAME:-default} are replaced. This is passed as written.',
    );
    problems.report('notExpanded', at, message, () =>
      instead === undefined
        ? []
        : [problems.fix(t('Change to ${NAME}'), [replaceSpan(at, instead)])],
    );
  }
}
