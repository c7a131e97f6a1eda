import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { bootError } from './support/service/boot-error.ts';
import { TestService, type TestSettings } from './support/service/service.ts';
import { casesOfSuite } from './support/suite.ts';

const fixture = (name: string) => join(import.meta.dir, 'fixtures', 'plugins', name);

test('a port that another Platen uses stops the service', async () => {
  await using first = await TestService.start();
  const { message } = await bootError({ env: { PORT: new URL(first.url).port } });
  expect(message).toMatch(/^HOST, PORT: cannot listen on 127\.0\.0\.1:\d+ /);
});

describe('an invalid setting stops the service with one sentence that names it:', () => {
  const SHORT_SECRET = 'short';
  const wrong: [name: string, settings: TestSettings, says: RegExp][] = [
    ['an unknown plugin', { config: { plugins: { nothing: true } } }, /^plugins\.nothing: cannot be loaded/],
    [
      'a missing path',
      { config: { plugins: { './nothing.ts': true } } },
      /^plugins\.\.\/nothing\.ts: cannot be loaded/,
    ],
    [
      'a module that is not a plugin',
      { config: { plugins: { [join(import.meta.dir, 'documents', 'index.ts')]: true } } },
      /the default export of its module must have a name and a setup function$/,
    ],
    [
      'an unknown option of a plugin',
      { config: { plugins: { render: { speed: 9 } } } },
      /^plugins\.render\.speed: unknown field; valid fields are chromiumPath/,
    ],
    [
      'an option of the wrong type',
      { config: { plugins: { render: { concurrency: 'many' } } } },
      /^plugins\.render\.concurrency: must be an integer 1 to 64/,
    ],
    ['an unknown section', { config: { plugin: {} } }, /^platen\.config\.json\.plugin: unknown field/],
    [
      'an unknown plan',
      { config: { plans: { gold: {} } } },
      /^platen\.config\.json\.plans\.gold: unknown field; valid fields are free/,
    ],
    ['a port that is not a number', { env: { PORT: 'eighty' } }, /^PORT: must be an integer 0 to 65535/],
    ['an unknown log level', { env: { LOG_LEVEL: 'loud' } }, /^LOG_LEVEL: must be "trace"/],
    [
      'a secret that is too short',
      { env: { PLATEN_SECRET: SHORT_SECRET } },
      /^PLATEN_SECRET: must be a string of at least 16 characters$/,
    ],
    [
      'a missing secret with MongoDB',
      { env: { MONGODB_URL: 'mongodb://127.0.0.1:1/x', PLATEN_SECRET: '' } },
      /^PLATEN_SECRET: is required with MONGODB_URL and must be the same for all replicas/,
    ],
    [
      'a number of proxies that is not a number',
      { env: { TRUST_PROXY: 'yes' } },
      /^TRUST_PROXY: must be the number of reverse proxies/,
    ],
    [
      'a variable of a plugin that is out of range',
      { env: { RENDER_CONCURRENCY: '0' } },
      /^RENDER_CONCURRENCY: must be an integer 1 to 64/,
    ],
    ['a browser that does not exist', { env: { CHROMIUM_PATH: '/nowhere/chromium' } }, /^CHROMIUM_PATH: /],
    ['an allow list entry that is not a host', { env: { EGRESS_ALLOW: 'not a host' } }, /^EGRESS_ALLOW: /],
    ['a data directory that cannot be created', { env: { DATA_DIR: '/proc/nowhere' } }, /\/proc\/nowhere/],
    [
      'a plugin to switch on with PLATEN_PLUGINS',
      { env: { PLATEN_PLUGINS: 'ai' } },
      /^PLATEN_PLUGINS: must be plugins to switch off/,
    ],
    [
      'a package that is not installed',
      { config: { plugins: { 'is-odd': true } } },
      /^plugins\.is-odd: cannot be loaded \(/,
    ],
    [
      'a syntax error next to a secret',
      { env: { PLATEN_CONFIG: join(import.meta.dir, 'fixtures', 'broken.config.txt') } },
      /^\S*broken\.config\.txt is not JSON: (?!.*sk_secret)/,
    ],
    [
      'a bucket that is a path',
      { env: { S3_BUCKET: 'files/platen' } },
      /^S3_BUCKET: must be the name of a bucket/,
    ],
    [
      'a misspelt plugin to switch off',
      { env: { PLATEN_PLUGINS: '-redner' } },
      /^plugins\.redner: unknown plugin; the built-in plugins are render, batch/,
    ],
    ['a hexadecimal port', { env: { PORT: '0x10' } }, /^PORT: must be an integer/],
    [
      'two plugins with the same name',
      { config: { plugins: { [fixture('watermark.ts')]: true, [fixture('watermark-again.ts')]: true } } },
      /another plugin already has the name "watermark"$/,
    ],
    [
      'a public URL without a scheme',
      { env: { PUBLIC_URL: 'example.com' } },
      /^PUBLIC_URL: must be a URL that begins with http/,
    ],
  ];

  test.each(casesOfSuite(wrong, 24))(
    '%s',
    async (_name, settings, says) => {
      const { message } = await bootError(settings);
      expect(message).toMatch(says);
      expect(message).not.toContain('\n');
      expect(message).not.toContain(SHORT_SECRET);
    },
    60_000,
  );
});
