import { expect, test } from 'bun:test';
import { RenderError } from '../render-error.ts';
import { Browsers, type BrowserPair } from './browsers.ts';

/** Creates two browsers whose leases have their name as version. */
function pairOf(name: string): BrowserPair {
  const browser = (version: string) => ({ lease: async () => ({ version }), warmUp: async () => undefined });
  return { shared: browser(name), isolated: browser(`${name}, isolated`) } as unknown as BrowserPair;
}

const log = { warn() {} } as never;

test('a document is printed with the version that it asks for, isolated if its account is', async () => {
  const browsers = new Browsers({ ...pairOf('current'), earlier: pairOf('earlier'), log });
  browsers.isolate('slow', 'slow');
  const versions = [];
  for (const account of ['fast', 'slow'])
    for (const browser of [undefined, 'current', 'earlier'] as const)
      versions.push((await browsers.lease(account, { browser })).version);
  versions.push((await browsers.lease('fast', { browser: 'earlier', isLarge: true })).version);
  expect(versions).toEqual([
    'current',
    'current',
    'earlier',
    'current, isolated',
    'current, isolated',
    'earlier, isolated',
    'earlier, isolated',
  ]);
});

test('a document for an earlier browser fails without one, and names the option', async () => {
  const browsers = new Browsers({ ...pairOf('current'), log });
  const error = await browsers.lease('fast', { browser: 'earlier' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RenderError);
  expect(error).toMatchObject({ owner: 'document', path: 'options.browser' });
});
