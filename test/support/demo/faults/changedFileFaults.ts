import { patchOf, type RepositoryFile } from '../patches.ts';
import {
  type HttpAnswer,
  type Call,
  failed,
  json,
} from '../../../../src/demo/wire/http.ts';
import type { Effects } from './effect.ts';

/** Other changed files in place of those that the demo has made up. */
export const changedFileEffects: Effects<'changedFiles'> = {
  changedFiles: (wanted) => {
    const files = typeof wanted === 'number' ? many(wanted) : wanted;
    return { change: (answer, { call }) => answerOf(files, call, answer) };
  },
};

function many(count: number): readonly RepositoryFile[] {
  return Array.from({ length: count }, (_, at) => {
    const number = String(at + 1).padStart(4, '0');
    const line = (text: string) =>
      Buffer.from(`export const value${number} = ${text};\n`);
    return {
      path: `src/value${number}.ts`,
      before: line('1'),
      after: line('2'),
    };
  });
}

function answerOf(
  files: readonly RepositoryFile[],
  call: Call,
  usual: HttpAnswer,
): HttpAnswer {
  const asked = call.query.get('path') ?? '';
  const file = files.find(({ path }) => asked.endsWith(`/${path}`));
  switch (/\/(?:file|git)\/[a-z]+$/.exec(call.path)?.[0] ?? '') {
    case '/file/archive':
      return usual.status === 200
        ? { ...usual, content: patchOf(files) }
        : usual;
    case '/git/changes':
      return json(
        files.map(({ path, before, after }) => ({
          status: !before ? 'ADDED' : !after ? 'DELETED' : 'UPDATED',
          path,
        })),
      );
    case '/file/download':
      if (usual.status === 400) return usual;
      if (!file?.after) return failed(404, 'File not found');
      return {
        status: 200,
        headers: { 'content-type': 'application/octet-stream' },
        content: file.after,
      };
    case '/git/diff': {
      if (!file) return failed(400, `File does not exist: ${asked}`);
      const side = (bytes: Uint8Array | undefined) =>
        bytes ? Buffer.from(bytes).toString('utf8') : '';
      return json({ modified: side(file.after), original: side(file.before) });
    }
    default:
      return usual;
  }
}
