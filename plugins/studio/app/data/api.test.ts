import { expect, test } from 'bun:test';
import { reasonOf } from './api.ts';

test('the field with which a message begins is replaced with its subject, if it has one', () => {
  const error = new Error('file: is not a PDF');
  expect(reasonOf(error, { file: 'c.pem' })).toBe('c.pem is not a PDF');
  expect(reasonOf(error, { pdf: 'a.pdf' })).toBe('file: is not a PDF');
  expect(reasonOf(error)).toBe('file: is not a PDF');
});

test('a message that begins with a word begins with a capital letter', () => {
  expect(reasonOf(new Error('the password is wrong'))).toBe('The password is wrong');
  expect(reasonOf('ranges[0]: must be a page', { ranges: 'Ranges' })).toBe('ranges[0]: must be a page');
});
