import assert from 'node:assert/strict';
import {
  isHtml,
  readComplaint,
  retryAfter,
} from '../../../../src/service/http/body.ts';

describe('the detection of a web page', () => {
  const isPage = (text: string, type?: string) =>
    isHtml(
      new Response(text, {
        headers: type === undefined ? {} : { 'content-type': type },
      }),
      text,
    );

  it('recognises a web page by its content type or its beginning', () => {
    assert.equal(isPage('x', 'text/html; charset=utf-8'), true);
    assert.equal(isPage('x', 'application/json'), false);
    for (const begin of ['<!DOCTYPE html>', '<html>', ' \n<HTML lang="en">']) {
      assert.equal(isPage(begin), true, begin);
      assert.equal(isPage(begin, 'text/plain'), true, begin);
    }
    for (const begin of ['{"a":"<html>"}', 'see <html>', '<htmlx>', '']) {
      assert.equal(isPage(begin), false, begin);
    }
  });
});

describe('the reason in an error response', () => {
  const complaint = (text: string, html = false) =>
    readComplaint(text, html, []);
  const of = (content: unknown) => complaint(JSON.stringify(content));

  it('reads the title of a web page if it is near the beginning', () => {
    for (const [page, detail] of [
      ['<html><title>Bad gateway.</title>', 'Bad gateway'],
      ['<TITLE lang="en">Bad gateway</TITLE>', 'Bad gateway'],
      ['<html>Bad gateway', undefined],
      [`${' '.repeat(10_000)}<title>Bad gateway</title>`, undefined],
    ] as const) {
      assert.deepEqual(complaint(page, true), { detail, fields: [] }, page);
    }
  });

  it('reads plain text, but not incomplete JSON', () => {
    for (const [text, detail] of [
      ['No such box.', 'No such box'],
      ['see [1]', 'see [1]'],
      ['.', '.'],
      ['{"detail": "No', undefined],
      [' \n[1, 2', undefined],
      ['', undefined],
    ] as const) {
      assert.deepEqual(complaint(text), { detail, fields: [] }, text);
    }
  });

  it('reads the first field that contains a text', () => {
    for (const [content, detail] of [
      ['No such box.', 'No such box'],
      [{ detail: 'No such box', message: 'other' }, 'No such box'],
      [{ detail: null, message: 'No such box' }, 'No such box'],
      [{ error: 'No such box' }, 'No such box'],
      [{ detail: { message: 'No such box' } }, 'No such box'],
      [{ error: { message: 'No such box' } }, 'No such box'],
      [{ error: null }, undefined],
      [{ other: 'No such box' }, undefined],
      [null, undefined],
    ] as const) {
      assert.deepEqual(
        of(content),
        { detail, fields: [] },
        JSON.stringify(content),
      );
    }
  });

  it('reports the rejected parameters without their location', () => {
    const named = (loc: unknown) =>
      of({ detail: [{ loc, msg: 'is odd' }] }).fields.map(({ name }) => name);
    for (const [loc, name] of [
      [['query', 'limit'], 'limit'],
      [['path', 'id'], 'id'],
      [['body', 'message', 0, 'text'], 'message.0.text'],
      [['header', 'accept'], 'accept'],
      [['body', { a: 1 }, 'text'], 'text'],
      [['limit', 0], 'limit.0'],
      [['query'], 'query'],
      [[], 'the request'],
      ['limit', 'the request'],
      [undefined, 'the request'],
      [Array.from({ length: 20 }, (_, index) => index), '0.1.2.3.4.5.6.7.8.9'],
    ] as const) {
      assert.deepEqual(named(loc), [name]);
    }
  });

  it('reads at most ten parameters and skips malformed ones', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      loc: [index],
      msg: 'is odd',
    }));
    assert.deepEqual(
      of({ detail: many }).fields.map(({ name }) => name),
      ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
    );
    const { detail, fields } = of({
      detail: [null, 'odd', {}, { loc: ['a'] }, { msg: 'No.' }],
    });
    assert.equal(detail, undefined);
    assert.deepEqual(fields, [{ name: 'the request', message: 'No' }]);
  });
});

describe('the Retry-After header', () => {
  const now = Date.UTC(2026, 0, 15, 10, 42);
  const wait = (value?: string) =>
    retryAfter(
      new Response(null, {
        headers: value === undefined ? {} : { 'retry-after': value },
      }),
      now,
    );

  it('accepts seconds or a date, and limits both to five minutes', () => {
    assert.equal(wait('7'), 7_000);
    assert.equal(wait('0'), 0);
    assert.equal(wait('0.25'), 250);
    assert.equal(wait('301'), 300_000);
    assert.equal(wait('Thu, 15 Jan 2026 10:42:30 GMT'), 30_000);
    assert.equal(wait('Thu, 15 Jan 2026 10:42:30 +0000'), 30_000);
    assert.equal(wait('2026-01-15T10:42:30Z'), 30_000);
    assert.equal(wait('2099-01-01T00:00:00Z'), 300_000);
  });

  it('gives no delay if it is missing, in the past or invalid', () => {
    for (const value of [
      undefined,
      '',
      'soon',
      '-5',
      '-2099',
      'Thu, 15 Jan 2026 10:41:30 GMT',
    ]) {
      assert.equal(wait(value), undefined, value);
    }
  });
});
