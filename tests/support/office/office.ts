import { describe, test } from 'bun:test';
import { findOffice } from '../../../plugins/office/engine/installation.ts';
import { formOf } from '../service/multipart.ts';
import type { TestService } from '../service/service.ts';
import { skip } from '../service/servers.ts';

const installation = await findOffice(undefined);

/** Describes tests that need LibreOffice. Without it they are skipped, or fail if `REQUIRE_SERVERS=1` is set. */
export function describeWithOffice(name: string, define: () => void): void {
  if (installation) return describe(name, define);
  if (process.env['REQUIRE_SERVERS'] !== '1') skip('LibreOffice is not installed');
  describe.skipIf(process.env['REQUIRE_SERVERS'] !== '1')(name, () => {
    test('finds LibreOffice', () => {
      skip('LibreOffice is not installed');
    });
  });
}

/** Whether the processes of LibreOffice have a view of the disk of their own. */
export const isIsolated = installation?.isolation === 'bwrap';

/** The response to a conversion: its status, its error message or its PDF. */
export interface Conversion {
  status: number;
  message: string;
  pdf: Uint8Array;
}

/** Sends a document to `POST /v1/pdf/convert` as form data. */
export async function convert(
  service: TestService,
  file: Uint8Array | string,
  { name = 'document', ...fields }: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Conversion> {
  const form = formOf([
    ['file', new Blob([file as never]), name],
    ['output', 'binary'],
    ...Object.entries(fields).map(([key, value]) => [key, value] as const),
  ]);
  const response = await fetch(`${service.url}/v1/pdf/convert`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
    body: form,
    ...(signal && { signal }),
  });
  const bytes = await response.bytes();
  if (response.status === 200) return { status: 200, message: '', pdf: bytes };
  const { error } = JSON.parse(Buffer.from(bytes).toString());
  return { status: response.status, message: error.message, pdf: new Uint8Array() };
}
