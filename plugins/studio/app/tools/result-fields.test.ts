import { expect, test } from 'bun:test';
import { fileNameOf } from './file-name.ts';
import { resultFieldsOf } from './result-fields.ts';

test('a result is named after its source', () => {
  expect(fileNameOf('Contract.pdf', 'signed')).toBe('Contract-signed.pdf');
  expect(fileNameOf('Contract.PDF', undefined)).toBe('Contract.pdf');
  expect(fileNameOf('scan', 'compressed')).toBe('scan-compressed.pdf');
});

test('characters that the service rejects are replaced, and long names are shortened', () => {
  expect(fileNameOf('../a\\b\u202Ec\n.pdf', 'merged')).toBe('_a_b_c_-merged.pdf');
  expect(fileNameOf('.pdf', 'merged')).toBe('document-merged.pdf');
  expect(fileNameOf('…', undefined)).toBe('….pdf');
  expect(Array.from(fileNameOf('😀'.repeat(300), 'signed'))).toHaveLength(120 + '-signed.pdf'.length);
});

test('a result is deleted after a week unless it is kept', () => {
  const files = [{ name: 'a.pdf' }];
  expect(resultFieldsOf({ files, suffix: 'merged', isKept: false })).toEqual({
    file_name: 'a-merged.pdf',
    expires_in: 604_800,
  });
  expect(resultFieldsOf({ files, suffix: 'merged', isKept: true })).toEqual({ file_name: 'a-merged.pdf' });
});
