import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { PASSWORD_READERS } from '../support/pdf/password-readers.ts';
import { runOn } from '../support/pdf/pdf-operations.ts';
import { compare, type Inspected } from './compare.ts';

const OWNER = 'öwner';
const USER = 'üser';
/** The messages for files that cannot be protected. */
const REASONS = /^is (signed|already encrypted)|^has a signature/;

/** Checks `protect` on one file, and `unlock` on the result or, if the file is encrypted, on the file. */
export async function checkProtection(
  sandbox: Sandbox,
  { pdf, images, census }: Inspected,
): Promise<{ protect: string[]; unlock: string[] }> {
  const operations = new URL('../../plugins/pdf-tools/operations/', import.meta.url);
  const { protect } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/protect/task.ts')>(
    new URL('protect/task.ts', operations),
  );
  const { unlock } = sandbox.load<typeof import('../../plugins/pdf-tools/operations/unlock/task.ts')>(
    new URL('unlock/task.ts', operations),
  );
  const unlocked = async (raw: Uint8Array, password: string) => {
    const result = await unlock({ pdf: { raw }, password });
    return result.ok ? compare(result.value.pdf, images, census) : [result.message];
  };
  const protection = { ownerPassword: OWNER, userPassword: USER, permissions: { printing: false } };
  const result = await protect({ pdf: { raw: pdf }, protection });
  if (!result.ok) {
    const isExplained = REASONS.test(result.message);
    return { protect: isExplained ? [] : [result.message], unlock: await unlocked(pdf, '') };
  }
  const made = result.value.pdf;
  const wrong = await unlock({ pdf: { raw: made }, password: 'other' });
  return {
    protect: await checkProtected(made, images.length),
    unlock: [
      ...(wrong.ok || wrong.part !== 'password' ? ['accepts a wrong password'] : []),
      ...(await unlocked(made, USER)),
      ...(await unlocked(made, OWNER)),
    ],
  };
}

async function checkProtected(pdf: Uint8Array, pages: number): Promise<string[]> {
  const check = (password: string) => runOn(pdf, ['qpdf', '--check', `--password=${password}`, '{}']);
  const faults = [OWNER, USER].flatMap((password) => {
    const output = check(password);
    const isSound = output.includes('No syntax or stream encoding errors');
    return isSound ? [] : [output.split('\n').slice(-3).join(' ')];
  });
  for (const password of ['', 'other'])
    if (!check(password).includes('invalid password')) faults.push(`opens with the password "${password}"`);
  const expected = { pages, printing: false, copying: false, modifying: false };
  for (const [name, { isInstalled, read }] of Object.entries(PASSWORD_READERS)) {
    if (!isInstalled()) continue;
    const reading = await read(pdf, USER);
    if (!Bun.deepEquals(reading, expected)) faults.push(`${name} reads ${JSON.stringify(reading)}`);
  }
  return faults;
}
