import { describe, expect, test } from 'bun:test';
import { formatForTerminal } from './log-format.ts';

const time = '2026-11-21T09:30:00.123Z';
const format = (fields: object) =>
  formatForTerminal(JSON.stringify({ level: 'info', time, ...fields }), { colors: false });

describe('the format for terminals', () => {
  test('is one readable line', () => {
    const line = format({ request_id: 'req_1', route: 'POST /v1/generate', status: 200, msg: 'request' });
    expect(line).toMatch(
      /^\d\d:\d\d:00\.123 INFO {2}request request_id=req_1 route="POST \/v1\/generate" status=200\n$/,
    );
  });

  test('indents the stack of an error under its line', () => {
    const stack = 'TypeError: broken\n    at a (/x.ts:1:2)\n    at b (/y.ts:3:4)';
    const line = format({
      level: 'error',
      err: { type: 'TypeError', message: 'broken', stack },
      msg: 'failed',
    });
    expect(line).toEndWith(
      'ERROR failed err="TypeError: broken"\n    at a (/x.ts:1:2)\n    at b (/y.ts:3:4)\n',
    );
  });

  test.each([
    ['a line break', '\n09:30:00.000 INFO  forged'],
    ['a carriage return', '\r09:30:00.000 INFO  forged'],
    ['an escape sequence', '\u001b[2Jcleared'],
    ['a C1 control sequence', '\u009b2Jcleared'],
    ['a title sequence', '\u001b]0;title\u0007'],
    ['a line separator', '\u2028forged'],
    ['a direction override', '\u202edegrof'],
  ])('escapes %s in every place', (_, hostile) => {
    const line = format({
      msg: hostile,
      reason: hostile,
      [hostile]: 1,
      nested: { list: [hostile] },
      err: { type: 'Error', message: hostile, stack: `Error: ${hostile}\n    at ${hostile}` },
    });
    const [first = '', ...rest] = line.trimEnd().split('\n');
    // oxlint-disable-next-line no-control-regex -- these characters must not occur
    expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
    expect(first).toContain('INFO');
    for (const frame of rest) expect(frame).toMatch(/^ {4}at/);
  });

  test('colours the level and dims the fields if asked to', () => {
    const line = formatForTerminal(JSON.stringify({ level: 'warn', time, msg: 'careful' }), { colors: true });
    expect(line).toContain('\u001b[33mWARN \u001b[0m careful');
  });
});
