import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { TestService } from '../support/service/service.ts';

const browserFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('platen-browser-'));

test("startup removes the browser folders of killed services, and shutdown removes the service's own", async () => {
  const ended = Bun.spawn(['true']);
  await ended.exited;
  const leftBehind = basename(mkdtempSync(join(tmpdir(), `platen-browser-${ended.pid}-`)));
  const ofAnotherService = basename(mkdtempSync(join(tmpdir(), `platen-browser-${process.ppid}-`)));
  const before = new Set(browserFolders());
  const service = await TestService.start();
  const own = browserFolders().filter((name) => !before.has(name) && name.includes(`-${process.pid}-`));
  expect(own.length).toBeGreaterThan(0);
  expect(browserFolders()).not.toContain(leftBehind);
  await service[Symbol.asyncDispose]();
  for (const name of own) expect(browserFolders()).not.toContain(name);
  expect(browserFolders()).toContain(ofAnotherService);
  await Bun.$`rm -r ${join(tmpdir(), ofAnotherService)}`;
});
