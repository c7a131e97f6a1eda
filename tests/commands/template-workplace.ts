import { afterAll, spyOn } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTo } from '../../src/commands/service/connect.ts';
import { diff } from '../../src/commands/templates/diff.ts';
import { pull } from '../../src/commands/templates/pull.ts';
import { push } from '../../src/commands/templates/push.ts';
import type { sharedService } from '../support/service/shared-service.ts';

type TestService = ReturnType<ReturnType<typeof sharedService>>;

/** Runs a command, and returns its exit status and its output. */
export async function captured(work: () => Promise<number>) {
  const lines: string[] = [];
  const log = spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const write = spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  try {
    return { code: await work(), output: lines.join('\n') };
  } finally {
    log.mockRestore();
    write.mockRestore();
  }
}

/** The options of a push without questions. */
export const PUSH = { yes: true, isDraft: false, json: false };

/**
 * Returns a function that creates an account of its own with a folder, in which each command returns its exit
 * status and its output. The folders are deleted after the tests of the file.
 */
export function workplaces(service: () => TestService) {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return async () => {
    const key = await service().newKey();
    const root = mkdtempSync(join(tmpdir(), 'platen-templates-'));
    folders.push(root);
    const folder = join(root, 'templates');
    const client = connectTo({ server: service().url, key });
    const path = (name: string) => join(folder, name);
    return {
      key,
      root,
      folder,
      client,
      read: (name: string) => readFileSync(path(name), 'utf8'),
      json: (name: string) => JSON.parse(readFileSync(path(name), 'utf8')),
      write(name: string, content: string) {
        mkdirSync(join(path(name), '..'), { recursive: true });
        writeFileSync(path(name), content);
      },
      create: async (fields: object) =>
        (await service().post('/v1/templates', { name: 'Invoice', html_content: '<p>1</p>', ...fields }, key))
          .body.id as string,
      put: (id: string, body: object) => service().request('PUT', `/v1/templates/${id}`, { body, key }),
      get: async (id: string, query = '') => (await service().get(`/v1/templates/${id}${query}`, key)).body,
      pull: (options: { force?: boolean; selected?: string[]; folder?: string } = {}) =>
        captured(() => pull(client, { folder, selected: [], force: false, json: false, ...options })),
      push: (options: { isDraft?: boolean; json?: boolean; yes?: boolean } = {}) =>
        captured(() => push(client, { folder, yes: true, isDraft: false, json: false, ...options })),
      diff: () => captured(() => diff(client, { folder, json: false })),
    };
  };
}

/** The fields of a template. */
export const INVOICE = {
  alias: 'invoice',
  category: 'invoice',
  tags: ['sales'],
  html_content: '<h1>Invoice {{number}}</h1>\n<p>{{total}}</p>\n',
  options: { format: 'A4', margin: '20mm' },
  schema: { number: 'string!', total: 'number' },
  sample_data: { number: '2026-118', total: 4.5 },
};

/** Returns the message with which a command fails. */
export async function failureOf(command: Promise<unknown>): Promise<string> {
  return command.then(
    () => 'no failure',
    (error: unknown) => (error as Error).message,
  );
}
