import { expect, test } from 'bun:test';
import { AppError, type ErrorDetail } from '../../src/plugin.ts';
import { errorText } from './error-text.ts';

const text = (details: ErrorDetail[], message = 'first') =>
  errorText(new AppError('VALIDATION_ERROR', message, { details }));

test('names every field with the same fault, also if the message contains its name', () => {
  const message = 'unknown field; valid fields are id, pages, width';
  const details = ['a', 'page', 'height'].map((path) => ({ path, message }));
  expect(text(details)).toBe(`3 faults: a, page, height: ${message}`);
});

test('names a variable once, and counts a repeated fault once', () => {
  const missing = (path: string) => ({ path, code: 'MISSING_VARIABLE', message: `the data has no ${path}` });
  expect(text([missing('name'), missing('items'), missing('name')])).toBe(
    '2 faults: the data has no name; the data has no items',
  );
  expect(text([missing('name'), missing('name')], 'the data has no name')).toBe('the data has no name');
});

test('lists ten faults', () => {
  const details = Array.from({ length: 12 }, (_, index) => ({ path: '', message: `fault ${index}` }));
  expect(text(details)).toMatch(/^12 faults: fault 0; .*; fault 9; and 2 more$/);
});

test.each([
  ['generation not found', 'find_documents lists the ids of documents'],
  ['id: file_x not found', 'find_documents lists the ids of documents'],
  ['template not found', 'list_templates lists the ids of templates'],
])('"%s" leads to the next tool', (message, advice) => {
  expect(errorText(new AppError('NOT_FOUND', message))).toBe(`${message}; ${advice}`);
});
