import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedService } from '../support/service/shared-service.ts';

setDefaultTimeout(60_000);
const service = sharedService();
const root = join(import.meta.dir, '../..');
const folder = mkdtempSync(join(tmpdir(), 'platen-action-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Stands for Docker: runs the command of the container in its working directory. */
const DOCKER = `#!/usr/bin/env bash
printf '%s\\n' "$@" > "$DOCKER_ARGUMENTS"
while [[ "$1" != "$PLATEN_IMAGE" ]]; do shift; done
shift
cd "$GITHUB_WORKSPACE"
exec "${process.execPath}" --no-install --no-env-file "${join(root, 'src/cli.ts')}" "$@"
`;

async function runAction(): Promise<{ status: number; summary: string; outputs: string; docker: string[] }> {
  const path = (name: string) => join(folder, name);
  for (const name of ['summary', 'outputs']) rmSync(path(name), { force: true });
  const child = Bun.spawn([join(root, 'clients/action/run.sh')], {
    env: {
      PATH: `${path('bin')}:${process.env['PATH']}`,
      GITHUB_WORKSPACE: path('workspace'),
      GITHUB_STEP_SUMMARY: path('summary'),
      GITHUB_OUTPUT: path('outputs'),
      DOCKER_ARGUMENTS: path('arguments'),
      PLATEN_IMAGE: 'ghcr.io/example/platen:1',
      PLATEN_FOLDER: 'my templates',
      PLATEN_OUTPUT: 'results',
      PLATEN_URL: service().url,
      PLATEN_API_KEY: service().key,
    },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const status = await child.exited;
  const read = (name: string) => readFileSync(path(name), 'utf8');
  return {
    status,
    summary: read('summary'),
    outputs: read('outputs'),
    docker: read('arguments').split('\n'),
  };
}

test('the action fails with pictures for a new case, writes a summary, and passes when it is accepted', async () => {
  const cases = join(folder, 'workspace/my templates/letter/cases');
  mkdirSync(cases, { recursive: true });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/docker'), DOCKER);
  chmodSync(join(folder, 'bin/docker'), 0o755);
  writeFileSync(join(cases, '../template.html'), '<p>Dear {{name}}</p>');
  writeFileSync(join(cases, 'ann.json'), '{"data": {"name": "Ann"}}');

  const first = await runAction();
  expect(first.status).toBe(1);
  expect(first.summary).toStartWith('### Templates: differences\n\n    letter/ann: new');
  expect(first.outputs).toBe('report=results/junit.xml\npictures=true\n');
  expect(existsSync(join(folder, 'workspace/results/letter/ann/page-1.png'))).toBe(true);
  expect(readFileSync(join(folder, 'workspace/results/junit.xml'), 'utf8')).toContain('failures="1"');
  expect(first.docker.join(' ')).not.toContain(service().key);
  const profile = first.docker.find((argument) => argument.startsWith('seccomp='))?.slice('seccomp='.length);
  expect(JSON.parse(readFileSync(profile ?? '', 'utf8'))).toHaveProperty('syscalls');

  const pdf = await service().post('/v1/generate', { html: '<p>Dear Ann</p>' });
  writeFileSync(join(cases, 'ann.pdf'), await (await fetch(pdf.body.url)).bytes());
  const second = await runAction();
  expect([second.status, second.outputs]).toEqual([0, 'report=results/junit.xml\npictures=false\n']);
  expect(second.summary).toContain('    1 case: 1 equal\n');
});
