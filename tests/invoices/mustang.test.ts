import { describe, expect, test } from 'bun:test';
import { readData } from '../../packages/pdf/invoice/data/read-data.ts';
import { Findings } from '../../packages/pdf/invoice/findings.ts';
import { profileRules } from '../../packages/pdf/invoice/profiles.ts';
import { completeInvoice } from '../../packages/pdf/invoice/totals/complete.ts';
import { writeCii } from '../../packages/pdf/invoice/xml/cii.ts';
import { pagesPdf } from '../api/pdf-samples.ts';
import { base64 } from '../support/pdf-operations.ts';
import { sharedService } from '../support/shared-service.ts';
import { faultyInvoices, type FaultyInvoice } from './faulty-invoices.ts';
import { requireMustang, validateWithMustang } from './mustang.ts';
import { validInvoices } from './valid-invoices.ts';

const service = sharedService();
const isInstalled = requireMustang();
const PATIENCE_MS = 900_000;

/** The rules for whose violation Mustang has another name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'BR-61': '[CII-SR-470]',
  'BR-CL-14': '[ID FX-SCH-A-000568]',
  'BR-CL-23': '[ID FX-SCH-A-000613]',
};

/** Mustang does not check BR-CO-25 in CII. */
const UNCHECKED: ReadonlySet<string> = new Set(['BR-CO-25']);

/** Writes an invoice that the service rejects. */
function writeFaulty({ data, profile }: FaultyInvoice): Uint8Array {
  const invoice = readData(data, new Findings());
  completeInvoice(invoice, profile);
  return writeCii(invoice, profileRules(profile).scope);
}

describe.if(isInstalled)('Mustang', () => {
  test(
    'accepts the PDF, the XML and both together of all valid invoices',
    async () => {
      const files = new Map<string, Uint8Array>();
      for (const [index, { name, profile, data }] of validInvoices.entries()) {
        const key = `${index} ${profile} ${name}`;
        const post = (fields: object) => service().post('/v1/pdf/invoice', { profile, data, ...fields });
        const { body } = await post({ pdf: base64(pagesPdf(1)), output: 'base64' });
        files.set(`${key}.pdf`, Buffer.from(body.data, 'base64'));
        if (profile !== 'en16931' && profile !== 'xrechnung') continue;
        files.set(`${key} ubl.xml`, Buffer.from((await post({ document: 'ubl' })).body.xml));
      }
      const reports = await validateWithMustang(files);
      const invalid = [...reports].filter(
        ([key, { summaries }]) =>
          summaries.length !== (key.endsWith('.pdf') ? 3 : 2) || summaries.some((one) => one !== 'valid'),
      );
      expect(invalid).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'finds the same rule in faulty invoices',
    async () => {
      const faulty = faultyInvoices.filter(({ rule }) => !UNCHECKED.has(rule));
      const reports = await validateWithMustang(
        new Map(faulty.map((one) => [`${one.rule}.xml`, writeFaulty(one)] as const)),
      );
      const differing = faulty.filter(({ rule }) => {
        const { summaries, errors } = reports.get(`${rule}.xml`) ?? { summaries: [], errors: [] };
        const isNamed = errors.some((error) => error.includes(OTHER_NAMES[rule] ?? `[${rule}]`));
        return summaries.at(-1) !== 'invalid' || !isNamed;
      });
      expect(differing.map(({ rule }) => [rule, reports.get(`${rule}.xml`)])).toEqual([]);
    },
    PATIENCE_MS,
  );
});
