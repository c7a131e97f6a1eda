import { expect, test } from 'bun:test';
import { AppError, ConfigError, FileNotFoundError, type FileStore } from '../../src/plugin.ts';
import { References } from './references.ts';

const MB = 1_000_000;

/** Loads ids of files with the given sizes, and returns the result and the reserved memory. */
async function load(
  sizes: Record<string, number>,
  ids: readonly string[],
  limitBytes = Number.POSITIVE_INFINITY,
) {
  const opened: string[] = [];
  const files: Pick<FileStore, 'get'> = {
    async get(id) {
      opened.push(id);
      const sizeBytes = sizes[id];
      if (sizeBytes === undefined) throw new FileNotFoundError(id);
      return { stream: new Blob([new Uint8Array(sizeBytes)]).stream(), sizeBytes };
    },
  };
  let reserved = 0;
  const reserveMemory = (bytes: number) => {
    if (bytes > limitBytes) throw new AppError('RATE_LIMITED', 'no memory');
    reserved += bytes;
  };
  const sources = ids.map((source, index) => ({ path: `pdfs[${index}]`, source }));
  const references = new References(files);
  references.register('files', { file_: async (_, id) => ({ fileId: id, sizeBytes: sizes[id] ?? 1 }) });
  const result = await references
    .load({ account: { id: 'acct_1' }, reserveMemory }, sources)
    .catch((error: unknown) => error);
  return { result, reserved, opened, message: result instanceof AppError ? result.message : undefined };
}

test('a repeated id is loaded once, and its memory reserved once; other text is passed on', async () => {
  const { result, reserved, opened } = await load({ file_a: 10, file_b: 5 }, [
    'file_a',
    'aGk=',
    'file_b',
    'file_a',
    'gen_x',
  ]);
  expect(opened).toEqual(['file_a', 'file_b']);
  expect(reserved).toBe(15);
  const sizes = (result as ({ raw: Uint8Array } | string)[]).map((pdf) =>
    typeof pdf === 'string' ? pdf : pdf.raw.length,
  );
  expect(sizes).toEqual([10, 'aGk=', 5, 10, 'gen_x']);
});

test('files that are too large, alone or together, are not opened', async () => {
  const large = await load({ file_a: 27 * MB + 1 }, ['aGk=', 'file_a']);
  expect([large.message, large.opened]).toEqual(['pdfs[1]: file_a is larger than 27000000 bytes', []]);
  const many = await load(
    { file_a: 25 * MB },
    Array.from({ length: 7 }, () => 'file_a'),
  );
  expect([many.message, many.opened]).toEqual([
    'pdfs[6]: the files that the request refers to have more than 150000000 bytes',
    [],
  ]);
});

test('no file is opened when memory is short, and a missing file is not found', async () => {
  const refused = await load({ file_a: 2 * MB }, ['file_a'], MB);
  expect([refused.message, refused.opened]).toEqual(['no memory', []]);
  const missing = await load({}, ['file_a']);
  expect([(missing.result as AppError).code, missing.message]).toEqual(['NOT_FOUND', 'file_a not found']);
});

test('a prefix that two plugins register stops the start, and the error names both', () => {
  const references = new References({ get: async (id) => Promise.reject(new FileNotFoundError(id)) });
  const find = async () => undefined;
  references.register('files', { file_: find });
  references.register('render', { gen_: find });
  expect(() => references.register('acme', { acme_: find, gen_: find })).toThrow(
    new ConfigError(
      'the plugin "acme": the reference prefix "gen_" is already registered by the plugin "render"',
    ),
  );
});
