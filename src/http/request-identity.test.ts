import { describe, expect, test } from 'bun:test';
import { identifyRequest } from './request-identity.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

const identify = (headers: Record<string, string>) =>
  identifyRequest(new Headers(headers), 'http://localhost');

describe('X-Request-Id', () => {
  test.each(['a', 'order-4711/2', '{"x":1}', 'x'.repeat(128)])('%j is kept', (id) => {
    expect(identify({ 'x-request-id': id })).toMatchObject({ id, log: { request_id: id } });
  });

  test.each(['', 'two words', 'a\tb', 'ü', 'x'.repeat(129), 'a, b'])('%j is replaced', (id) => {
    expect(identify({ 'x-request-id': id }).id).toMatch(/^req_\w{24}$/);
  });
});

describe('traceparent', () => {
  const TRACED = { trace_id: TRACE, parent_id: PARENT };

  test.each([`00-${TRACE}-${PARENT}-01`, `cc-${TRACE}-${PARENT}-00`, `cc-${TRACE}-${PARENT}-01-more`])(
    '%s is in the log',
    (traceparent) => {
      expect(identify({ traceparent }).log).toMatchObject(TRACED);
    },
  );

  test.each([
    `00-${TRACE}-${PARENT}-01-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}`,
    'x',
  ])('%s is ignored', (traceparent) => {
    expect(Object.keys(identify({ traceparent }).log)).toEqual(['request_id']);
  });
});
