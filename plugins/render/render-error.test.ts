import { expect, test } from 'bun:test';
import { BrowserTimeoutError, DeadlineError, NoPageError, StarvedPageError } from './deadline.ts';
import { explainRenderError, RenderError, toRenderError } from './render-error.ts';

test.each([
  [new NoPageError('no page'), 'UNAVAILABLE', 5],
  [new StarvedPageError('no processor time'), 'UNAVAILABLE', 5],
  [new BrowserTimeoutError('no response'), 'UNAVAILABLE', 5],
  [new DeadlineError('an endless script'), 'VALIDATION_ERROR', undefined],
])('%s', (error, code, retryAfterSeconds) => {
  const converted = toRenderError(error);
  expect(converted).toBeInstanceOf(RenderError);
  const answer = explainRenderError(converted as RenderError, { message: 'it failed', source: 'html' });
  expect(answer).toMatchObject({ code, retryAfterSeconds });
});
