import { expect, test } from 'bun:test';
import { AppError } from '../../../src/plugin.ts';
import type { GenerateOptions } from '../../documents/contract.ts';
import { isAtHost, readRequirements } from './requirements.ts';

test.each<[GenerateOptions, assets: boolean, scripts: boolean]>([
  [{}, false, false],
  [{ strict: true }, true, true],
  [{ onAssetError: 'fail' }, true, false],
  [{ onAssetError: 'ignore' }, false, false],
  [{ strict: true, onAssetError: 'ignore' }, false, true],
  [{ strict: true, onAssetError: 'fail' }, true, true],
])(
  'with %p, a failed asset fails the document: %p, and a script that throws: %p',
  (options, assets, scripts) => {
    const requirements = readRequirements(options);
    expect([requirements?.assets !== undefined, requirements?.scripts === true]).toEqual([assets, scripts]);
  },
);

const except = (host: string) =>
  readRequirements({ onAssetError: 'fail', ignoreAssetHosts: [host] })?.assets?.except ?? [];

test.each([
  ['cdn.example.com', 'https://cdn.example.com/a.png', true],
  ['CDN.example.com', 'http://cdn.example.com:8080/a.png', true],
  ['cdn.example.com:443', 'https://cdn.example.com/a.png', true],
  ['cdn.example.com:443', 'http://cdn.example.com/a.png', false],
  ['cdn.example.com:80', 'http://cdn.example.com/a.png', true],
  ['cdn.example.com:8080', 'http://cdn.example.com:8080/a.png', true],
  ['example.com', 'https://cdn.example.com/a.png', false],
  ['cdn.example.com', 'https://cdn.example.com.evil.example/a.png', false],
  ['cdn.example.com', 'https://evil.example/cdn.example.com', false],
  ['bücher.example', 'https://xn--bcher-kva.example/a.png', true],
  ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080/a.png', true],
  ['127.0.0.1', 'http://127.0.0.1:4000/a', true],
  ['cdn.example.com', 'logo.png', false],
  ['cdn.example.com', 'data:image/png,…', false],
])('the host %p exempts %p: %p', (host, url, expected) => {
  expect(isAtHost(url, except(host))).toBe(expected);
});

test.each([
  'https://cdn.example.com',
  'cdn.example.com/a',
  'user@host',
  '*.example.com',
  '',
  'a b',
  '::1',
  'a:b',
  'a:70000',
  '/',
])('the host %p is rejected', (host) => {
  expect(() => except(host)).toThrow(AppError);
});
