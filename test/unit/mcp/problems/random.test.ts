import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits } from 'jsonc-parser';
import { withEdits } from '../../../../src/mcp/text/withEdits.ts';
import { outline } from '../../../../src/mcp/format/outline.ts';
import { commandsToFind } from '../../../../src/mcp/problems/missingOnMachine.ts';
import { fixAll } from '../../../../src/mcp/problems/fixAll.ts';
import {
  findProblems,
  type ProblemCode,
} from '../../../../src/mcp/problems/findProblems.ts';
import { drawText, Tape } from '../../../support/configTexts.ts';

/** Words of sound files, and what people write in their place. */
const slips: Readonly<Record<string, readonly [string, ...string[]]>> = {
  '"enabled"': ['"disabled"', '"transport"', '"args"', '"type"'],
  '"timeout"': ['"type"', '"cwd"', '"transport"', '"serverUrl"'],
  '"url"': ['"serverUrl"', '"httpUrl"', '"Url"'],
  '"command"': ['"cmd"', '"comand"', '"url"'],
  '"mcpServers"': ['"servers"', '"mcp"', '"context_servers"'],
  '"x-unknown"': [
    '"envFile"',
    '"environment"',
    '"url"',
    '"command"',
    '"enabled"',
  ],
  '"constructor"': ['"type"', '"disabled"', '"headers"', '"http_headers"'],
  '"npx"': ['["npx", "-y"]', '"${HOME}"', '""', '["npx",/* c */ "x",]'],
  '"-y"': ['1', 'true', '"YOUR_KEY"', 'null'],
  '"Authorization"': ['"My Key"', '"Authorization:"', '"1"'],
  '"https:': ['"http:', '"ftp:', '"', '"<host>'],
  true: ['"true"', '1', '"sse"', '"stdio"'],
  false: ['"http"', '"streamableHttp"', '{}'],
};

/** A random text with slips in it. */
function drawProblems(tape: Tape): string {
  let text = drawText(tape);
  for (const [word, others] of Object.entries(slips)) {
    text = text.replaceAll(word, (there) =>
      tape.once(3) ? tape.pick(others) : there,
    );
  }
  return text;
}

const texts = fc
  .uint8Array({ minLength: 8, maxLength: 800, size: 'max' })
  .map((bytes) => drawProblems(new Tape(bytes)));

function holds(check: (text: string) => void, numRuns: number): void {
  fc.assert(fc.property(texts, check), { numRuns });
}

const count = (text: string, code: ProblemCode) =>
  findProblems(text).filter((each) => each.code === code).length;

describe('the check of random texts', function () {
  this.timeout(180_000);

  it('reports problems in order and inside the text, with nearly every code', () => {
    const seen = new Set<ProblemCode>();
    holds((text) => {
      let last = 0;
      for (const { code, start, end, related } of findProblems(text)) {
        seen.add(code);
        assert(last <= start && start < end && end <= text.length, code);
        for (const each of related ?? [])
          assert(each.start < each.end && each.end <= text.length);
        last = start;
      }
      for (const { start, end } of commandsToFind(text))
        assert.equal(text[start] === '"' && text[end - 1], '"');
    }, 2000);
    assert(seen.size >= 28, [...seen].join());
  });

  it('offers fixes that leave a readable text and add no problem of the same code', () => {
    holds((text) => {
      // Removing the last of two equal keys puts the first one into effect.
      const uncovers = count(text, 'duplicateKey') > 0;
      for (const { code, fixes } of findProblems(text)) {
        const before = count(text, code);
        for (const { title, edits } of fixes()) {
          const after = withEdits(text, edits);
          assert.equal(applyEdits(text, [...edits]), after);
          assert.notEqual(after, text);
          if (after.trim() !== '') outlineOf(after, text);
          assert(
            uncovers || count(after, code) <= before,
            `${code}, ${title}: ${after}`,
          );
        }
      }
    }, 500);
  });

  it('leaves no certain fix after all are made, one by one or at once', () => {
    holds((text) => {
      let now = text;
      for (let step = 0; ; step++) {
        const fix = findProblems(now).flatMap(({ fixes }) =>
          fixes().filter(({ certain }) => certain),
        )[0];
        if (!fix) break;
        assert(step < 200);
        now = withEdits(now, fix.edits);
      }
      const after = fixAll(text);
      assert.deepEqual(
        findProblems(after).filter(({ fixes }) =>
          fixes().some(({ certain }) => certain),
        ),
        [],
      );
      assert.equal(fixAll(after), after);
    }, 500);
  });
});

function outlineOrNothing(text: string) {
  try {
    return outline(text);
  } catch {
    return undefined;
  }
}

/**
 * A text that could not be read before may not be readable afterwards either.
 */
function outlineOf(after: string, before: string): void {
  assert(outlineOrNothing(after) ?? !outlineOrNothing(before), after);
}
