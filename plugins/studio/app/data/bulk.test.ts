import { expect, test } from 'bun:test';
import { ApiError } from './api.ts';
import { forEachOf, outcomeText } from './bulk.ts';

test('an action runs on every entry although one fails, and the text counts both', async () => {
  const seen: number[] = [];
  const outcome = await forEachOf([1, 2, 3], async (entry) => {
    seen.push(entry);
    if (entry === 2) throw new ApiError('the file is in use', { status: 409, code: 'CONFLICT' });
  });
  expect(seen).toEqual([1, 2, 3]);
  expect(outcome).toMatchObject({ done: [1, 3], failed: [2] });
  expect(outcomeText(outcome, 'file', 'deleted')).toBe(
    '2 files were deleted. 1 file was not deleted: The file is in use',
  );
});

test('the text does not mention failures or successes that did not happen', async () => {
  const all = await forEachOf(['a'], async () => {});
  expect(outcomeText(all, 'document', 'deleted')).toBe('1 document was deleted.');
  const none = await forEachOf(['a', 'b'], async () => {
    throw new ApiError('Not found', { status: 404, code: 'NOT_FOUND' });
  });
  expect(outcomeText(none, 'document', 'downloaded')).toBe('2 documents were not downloaded: Not found');
});
