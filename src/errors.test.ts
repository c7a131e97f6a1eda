import { expect, test } from 'bun:test';
import { ErrorCatalogue } from './errors.ts';

const gone = { status: 410, meaning: 'The mark is gone.' };

test('a catalogue contains the codes of the core and the added codes', () => {
  const catalogue = new ErrorCatalogue();
  expect(catalogue.get('NOT_FOUND').status).toBe(404);
  catalogue.register({ MARK_LOST: gone });
  expect(catalogue.get('MARK_LOST')).toEqual(gone);
  expect(() => new ErrorCatalogue().get('MARK_LOST')).toThrow('error code MARK_LOST is not registered');
});

test('a code is registered twice only with the same status', () => {
  const catalogue = new ErrorCatalogue();
  catalogue.register({ MARK_LOST: gone });
  catalogue.register({ MARK_LOST: gone });
  expect(() => catalogue.register({ MARK_LOST: { ...gone, status: 404 } })).toThrow(
    'error code MARK_LOST is already registered with status 410',
  );
  expect(() => catalogue.register({ NOT_FOUND: gone })).toThrow('already registered with status 404');
});
