import { readSigners } from '@platen/signatures/signers';
import { readCoverage } from '@platen/signatures/signers';
import { listSignedFields } from '@platen/signatures/signers';
import type { CheckContext } from './findings.ts';

const END_OF_FILE = '%%EOF';
/** The marker and the end of its line. */
const MARKER_BYTES = END_OF_FILE.length + 2;

/**
 * Checks that each signature covers its revision of the file, has one signer, and includes its certificate
 * (ISO 19005-2 6.4.3).
 */
export function checkSignatures({ document, findings }: CheckContext): void {
  if (findings.rules.part === 1) return;
  for (const signed of listSignedFields(document)) {
    const coverage = readCoverage(document, signed);
    if ('fault' in coverage) {
      findings.add('signatures', `a signature ${coverage.fault}`);
      continue;
    }
    const { contents, end, parts } = coverage;
    const marker = document.file.indexOf(END_OF_FILE, end - parts[1].length, 'latin1');
    findings.expect(
      marker + MARKER_BYTES >= end,
      'signatures',
      'a signature covers more than the revision of the file that contains it',
    );
    const signers = readSigners(contents);
    findings.expect(signers !== undefined, 'signatures', 'a signature is not a CMS signature');
    if (!signers) continue;
    findings.expect(
      signers.count === 1,
      'signatures',
      `a signature has ${signers.count} signers instead of one`,
    );
    findings.expect(
      signers.hasCertificate,
      'signatures',
      'a signature does not include the certificate of its signer',
    );
  }
}
