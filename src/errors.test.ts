import { expect, test } from 'bun:test';
import { ErrorCatalogue } from './errors.ts';

const expired = { status: 410, meaning: 'The card has expired.' };

test('a catalogue contains the codes of the core and the added codes', () => {
  const catalogue = new ErrorCatalogue();
  expect(catalogue.get('NOT_FOUND').status).toBe(404);
  catalogue.register({ CARD_EXPIRED: expired });
  expect(catalogue.get('CARD_EXPIRED')).toEqual(expired);
  expect(() => new ErrorCatalogue().get('CARD_EXPIRED')).toThrow('error code CARD_EXPIRED is not registered');
});

test('a code is registered twice only with the same status', () => {
  const catalogue = new ErrorCatalogue();
  catalogue.register({ CARD_EXPIRED: expired });
  catalogue.register({ CARD_EXPIRED: expired });
  expect(() => catalogue.register({ CARD_EXPIRED: { ...expired, status: 404 } })).toThrow(
    'error code CARD_EXPIRED is already registered with status 410',
  );
  expect(() => catalogue.register({ NOT_FOUND: expired })).toThrow('already registered with status 404');
});
