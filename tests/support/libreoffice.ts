import { describe } from 'bun:test';
import { isThorough } from './suite.ts';
import { skip } from './service/servers.ts';

/** Whether LibreOffice is on the PATH. */
const isInstalled = Bun.which('soffice') !== null;

/**
 * Describes thorough tests that need LibreOffice. Without it they are skipped, or fail if `REQUIRE_SERVERS=1`
 * is set.
 */
export function describeWithLibreOffice(name: string, define: () => void): void {
  if (!isThorough) describe.skip(name, define);
  else if (isInstalled) describe(name, define);
  else {
    skip('LibreOffice is not installed');
    describe.skip(name, define);
  }
}
