import { describe, expect, test } from 'bun:test';
import { INVOICE_PROFILES, writeInvoice } from '@platen/einvoice';
import { readData } from '../../packages/einvoice/data/read-data.ts';
import { Findings } from '../../packages/einvoice/findings.ts';
import { profileRules } from '../../packages/einvoice/profiles.ts';
import { completeInvoice } from '../../packages/einvoice/totals/complete.ts';
import { writeCii } from '../../packages/einvoice/xml/cii.ts';
import { writeUbl } from '../../packages/einvoice/xml/ubl.ts';
import french from '../../starters/samples/e-invoice-fr.json' with { type: 'json' };
import { pagesPdf } from '../support/pdf/samples.ts';
import { storeCertificate } from '../support/signatures/certificates.ts';
import { base64 } from '../support/pdf/pdf-operations.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { invoice } from '../../packages/einvoice/tests/build-invoice.ts';
import { extendedInvoices } from '../../packages/einvoice/tests/extended-invoices.ts';
import { faultyInvoices, type FaultyInvoice } from '../../packages/einvoice/tests/faulty-invoices.ts';
import { requireMustang, validateWithMustang } from './mustang.ts';
import { plainInvoices } from '../../packages/einvoice/tests/plain-invoices.ts';
import { validInvoices } from '../../packages/einvoice/tests/valid-invoices.ts';

const service = sharedService();
const isInstalled = requireMustang();
const PATIENCE_MS = 900_000;

/**
 * The identifiers of rules, mostly about code lists, that have another name in the Schematron of Factur-X.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'BR-61': 'CII-SR-470',
  'BR-CL-01': 'FX-SCH-A-000555',
  'BR-CL-04': 'FX-SCH-A-000595',
  'BR-CL-05': 'FX-SCH-A-000610',
  'BR-CL-06': 'FX-SCH-A-000588',
  'BR-CL-07': 'FX-SCH-A-000282',
  'BR-CL-08': 'FX-SCH-A-000553',
  'BR-CL-10': 'FX-SCH-A-000579',
  'BR-CL-11': 'FX-SCH-A-000569',
  'BR-CL-13': 'FX-SCH-A-000297',
  'BR-CL-14': 'FX-SCH-A-000568',
  'BR-CL-15': 'FX-SCH-A-000628',
  'BR-CL-16': 'FX-SCH-A-000609',
  'BR-CL-17': 'FX-SCH-A-000599',
  'BR-CL-18': 'FX-SCH-A-000619',
  'BR-CL-19': 'FX-SCH-A-000601',
  'BR-CL-20': 'FX-SCH-A-000604',
  'BR-CL-21': 'FX-SCH-A-000626',
  'BR-CL-22': 'FX-SCH-A-000589',
  'BR-CL-23': 'FX-SCH-A-000613',
  'BR-CL-24': 'FX-SCH-A-000287',
  'BR-CL-25': 'FX-SCH-A-000571',
  'BR-CL-26': 'FX-SCH-A-000585',
};

/** The rules that the official Schematron checks in UBL but not in CII. */
const IN_UBL: ReadonlySet<string> = new Set([
  'BR-AF-08',
  'BR-AF-09',
  'BR-AG-08',
  'BR-AG-09',
  'BR-CL-03',
  'PEPPOL-EN16931-R101',
  'PEPPOL-EN16931-R120',
]);

/**
 * The rules that are absent from the official Schematron, and BR-CO-19 and BR-CO-20: they reject an empty
 * period, which is never written.
 */
const UNCHECKED: ReadonlySet<string> = new Set(['BR-66', 'BR-67', 'BR-CO-19', 'BR-CO-20', 'BR-CO-25']);

/** Tells whether an error names a rule in its text or its identifier. */
function names(error: string, rule: string): boolean {
  return error.includes(`[${rule}]`) || error.includes(`[ID ${rule}]`);
}

/** Writes an invoice that the service rejects. */
function writeFaulty({ rule, data, profile }: FaultyInvoice): Uint8Array {
  const group = readData(data, new Findings());
  completeInvoice(group, profile);
  return IN_UBL.has(rule) ? writeUbl(group) : writeCii(group, profileRules(profile).scope);
}

describe.if(isInstalled)('Mustang', () => {
  test(
    'accepts the PDF, the XML and both together of all valid invoices',
    async () => {
      const files = new Map<string, Uint8Array>();
      for (const [index, { name, profile, data }] of [...validInvoices, ...plainInvoices].entries()) {
        const key = `${index} ${profile} ${name}`;
        const post = (fields: object) => service().post('/v1/pdf/invoice', { profile, data, ...fields });
        const { body } = await post({ pdf: base64(pagesPdf(1)), output: 'base64' });
        files.set(`${key}.pdf`, Buffer.from(body.data, 'base64'));
        if (name === 'plain') {
          const archive = { pdf: body.data, level: '3u', title: name, output: 'base64' };
          const archived = await service().post('/v1/pdf/pdfa', archive);
          files.set(`${key} archived.pdf`, Buffer.from(archived.body.data, 'base64'));
        }
        if (profile !== 'en16931' && profile !== 'xrechnung') continue;
        files.set(`${key} ubl.xml`, Buffer.from((await post({ document: 'ubl' })).body.xml));
      }
      const starter = (await service().get('/v1/starter-templates/e-invoice')).body;
      for (const [language, sample] of Object.entries({ german: starter.sample_data, french })) {
        const request = {
          html: starter.html_content,
          data: sample,
          options: starter.options,
          output: 'base64',
        };
        const { body } = await service().post('/v1/generate', request);
        files.set(`starter ${language}.pdf`, Buffer.from(body.data, 'base64'));
      }
      const certificate = await storeCertificate(service(), 'rsa.p12');
      const signed = await service().post('/v1/generate', {
        html: '<!doctype html><html lang="en"><title>Invoice</title><h1>Invoice</h1></html>',
        options: {
          accessible: true,
          invoice: { profile: 'en16931', data: invoice() },
          signature: { certificate, x: 20, y: 20 },
        },
        output: 'base64',
      });
      files.set('signed.pdf', Buffer.from(signed.body.data, 'base64'));
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
    'applies the XML schema of each profile and syntax',
    async () => {
      const written = [
        ...INVOICE_PROFILES.map((profile) => [profile, writeInvoice(invoice(), { profile })] as const),
        ...['380', '381'].map((type) => {
          const data = invoice({ 'cbc:InvoiceTypeCode': type });
          return [`ubl ${type}`, writeInvoice(data, { profile: 'en16931', syntax: 'ubl' })] as const;
        }),
      ];
      const files = written.map(([name, { xml }]) => {
        const text = new TextDecoder().decode(xml);
        return [`${name}.xml`, Buffer.from(text.replace(/<\/[\w:]+>\s*$/, '<unknown/>$&'))] as const;
      });
      const reports = await validateWithMustang(new Map(files));
      // The schema validator of Java begins its messages with cvc.
      const unchecked = [...reports].filter(
        ([, { summaries, errors }]) =>
          summaries.at(-1) !== 'invalid' || !errors.some((error) => error.includes('cvc-')),
      );
      expect(unchecked).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'agrees about terms that only the profile EXTENDED has',
    async () => {
      const files = extendedInvoices.map(({ xml }, index) => [`${index}.xml`, Buffer.from(xml)] as const);
      const reports = await validateWithMustang(new Map(files));
      const differing = extendedInvoices.filter(({ isValid }, index) => {
        const { summaries = [] } = reports.get(`${index}.xml`) ?? {};
        return summaries.length !== 2 || summaries.every((one) => one === 'valid') !== isValid;
      });
      expect(differing.map((one) => [one.name, reports.get(`${extendedInvoices.indexOf(one)}.xml`)])).toEqual(
        [],
      );
    },
    PATIENCE_MS,
  );

  test(
    'finds the same rule in faulty invoices',
    async () => {
      const faulty = faultyInvoices.filter(({ rule }) => !UNCHECKED.has(rule));
      const reports = await validateWithMustang(
        new Map(faulty.map((one, index) => [`${index}.xml`, writeFaulty(one)] as const)),
      );
      const differing = faulty.filter(({ rule }, index) => {
        const { summaries, errors } = reports.get(`${index}.xml`) ?? { summaries: [], errors: [] };
        const isNamed = errors.some((error) => names(error, OTHER_NAMES[rule] ?? rule));
        return summaries.at(-1) !== 'invalid' || !isNamed;
      });
      expect(differing.map((one) => [one.rule, reports.get(`${faulty.indexOf(one)}.xml`)])).toEqual([]);
    },
    PATIENCE_MS,
  );
});
