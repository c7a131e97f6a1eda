import { expect, test } from 'bun:test';
import { reasonOf } from './api.ts';

test('a message that begins with a field names its subject instead', () => {
  const error = new Error('file: is not a PDF');
  expect(reasonOf(error, { file: 'c.pem' })).toBe('c.pem is not a PDF');
  expect(reasonOf(error, { pdf: 'a.pdf' })).toBe('file: is not a PDF');
  expect(reasonOf(error)).toBe('file: is not a PDF');
});

test('other messages are sentences', () => {
  expect(reasonOf(new Error('the password is wrong'))).toBe('The password is wrong');
  expect(reasonOf('ranges[0]: must be a page', { ranges: 'Ranges' })).toBe('ranges[0]: must be a page');
});
