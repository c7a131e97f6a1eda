import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedOperations } from './support/pdf/operation-requests.ts';

const text = readFileSync(join(import.meta.dir, '../docs/pdf-operations.md'), 'utf8');
const commands = [...text.matchAll(/^```sh\n(.*?)^```/gms)]
  .flatMap(([, block = '']) => block.replaceAll('\\\n', '').split('\n'))
  .filter((line) => line.startsWith('curl '));

// The forms have their own page.
const operations = documentedOperations().filter(({ name }) => !name.startsWith('forms/'));

test.each(operations.map(({ name, mediaTypes }) => [name, mediaTypes] as const))(
  'docs/pdf-operations.md has a command for %s that works for large files',
  (name, mediaTypes) => {
    const commandsOfOperation = commands.filter((command) => command.includes(`/v1/pdf/${name} `));
    // Base64 in the command line would be limited by the system, and base64 in the response by the memory of
    // the caller.
    const isWritten = mediaTypes.some((type) => type !== 'application/json');
    const streams = (command: string) =>
      / -F pdfs?=@/.test(command) && (!isWritten || / -F output=binary -o \S+/.test(command));
    expect(commandsOfOperation.filter(streams)).not.toEqual([]);
  },
);
