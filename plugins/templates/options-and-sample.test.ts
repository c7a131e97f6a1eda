import { expect, test } from 'bun:test';
import { RawJson } from '../../src/plugin.ts';
import { requireStorable } from './options-and-sample.ts';

test('options with passwords or the data of an invoice are not stored, whether or not the plugin render is on', () => {
  expect(() => requireStorable({ protect: { ownerPassword: 'secret' } })).toThrow(
    'options.protect: cannot be stored',
  );
  const invoice = { profile: 'en16931', data: RawJson.of({}) } as const;
  expect(() => requireStorable({ invoice })).toThrow('options.invoice.data: cannot be stored');
  expect(() => requireStorable({ format: 'A5', invoice: { profile: 'en16931' } })).not.toThrow();
});
