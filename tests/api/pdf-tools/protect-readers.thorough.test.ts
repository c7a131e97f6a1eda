import { expect, test } from 'bun:test';
import { PASSWORD_READERS } from '../../support/pdf/password-readers.ts';
import { describeWithPdfTools } from '../../support/pdf/pdf.ts';
import { OperationClient } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService({ config: { plugins: { 'pdf-tools': { protect: true } } } });
const protect = new OperationClient(service, 'protect');

const both = [true, false];
const permissionChoices = both.flatMap((printing) =>
  both.flatMap((copying) => both.map((modifying) => ({ printing, copying, modifying }))),
);
const passwordChoices = [
  { owner_password: 'ownér', user_password: 'üser' },
  { owner_password: 'ownér' },
  // A reader with this password is the owner.
  { owner_password: 'sämé', user_password: 'sämé' },
];

const readers = Object.entries(PASSWORD_READERS).filter(([, { isInstalled }]) => isInstalled());

/**
 * Expects every reader to open a file of two pages with its passwords only, and to show the permissions of
 * its users.
 */
async function expectReaders(
  pdf: Uint8Array,
  passwords: { owner: string; user: string },
  permissions: object,
): Promise<void> {
  for (const [name, reader] of readers) {
    const seen = { reader: name, pages: 2, ...permissions };
    if (passwords.user !== passwords.owner)
      expect({ reader: name, ...(await reader.read(pdf, passwords.user)) }).toEqual(seen);
    expect({ reader: name, ...(await reader.read(pdf, passwords.owner)) }).toMatchObject({
      reader: name,
      pages: 2,
    });
    if (passwords.user !== '') expect([name, await reader.read(pdf, 'other')]).toEqual([name, undefined]);
  }
}

describeWithPdfTools('every reader opens a PDF with its passwords and shows its permissions:', () => {
  const choices = passwordChoices.flatMap((passwords) =>
    permissionChoices.map((permissions) => [passwords, permissions] as const),
  );
  test.each(choices)(
    'protected with %j and %j',
    async (passwords, permissions) => {
      const pdf = await protect.write(pagesPdf(2), { ...passwords, permissions });
      const { owner_password: owner, user_password: user = '' } = passwords;
      await expectReaders(pdf, { owner, user }, permissions);
    },
    300_000,
  );

  test('protected with the default permissions', async () => {
    const pdf = await protect.write(pagesPdf(2), { owner_password: 'owner' });
    const defaults = { printing: true, copying: false, modifying: false };
    await expectReaders(pdf, { owner: 'owner', user: '' }, defaults);
  }, 300_000);

  test.each(permissionChoices)(
    'generated with %j',
    async (permissions) => {
      const html = '<h1>One</h1><h1 style="break-before: page">Two</h1>';
      const options = { protect: { ownerPassword: 'owner', userPassword: 'user', permissions } };
      const pdf = await service().pdf({ html, options, output: 'base64' });
      await expectReaders(pdf, { owner: 'owner', user: 'user' }, permissions);
    },
    300_000,
  );
});
