import { expect, test } from 'bun:test';
import { fileTypeOf, newFileId } from '../../src/plugin.ts';
import { STORED_TYPES } from './uploads.ts';

test.each([...STORED_TYPES])('a stored %s has a media type', (type) => {
  expect(fileTypeOf(newFileId(type))).not.toMatchObject({ mediaType: 'application/pdf' });
});
