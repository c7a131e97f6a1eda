import { capitalise } from '../../data/format.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import type { Tool } from '../operation.ts';
import { Verdict } from '../verdict.tsx';

interface InvoiceReading {
  found: boolean;
  profile: string | null;
  xml: string | null;
  valid: boolean | null;
  message?: string;
  findings: { rule: string; message: string }[];
}

/** Reads and checks the invoice in a file. */
export const readInvoice: Tool = {
  slug: 'read-invoice',
  name: 'Read an electronic invoice',
  text: 'Show the data of the invoice in a file, and check it against the rules of its profile.',
  icon: 'validate',
  group: 'Electronic invoices',
  order: 2,
  action: 'Read the invoice',
  initial: {},
  request: (_, [file]) => ({ path: '/v1/pdf/invoice/read', body: { pdf: file?.id }, returnsJson: true }),
  report: (result) => <InvoiceReport {...(result as InvoiceReading)} />,
};

function InvoiceReport({ found, profile, xml, valid, message, findings }: InvoiceReading) {
  if (!found) return <Verdict outcome="open" title="The file contains no electronic invoice" />;
  const outcome = valid === null ? 'open' : valid ? 'good' : 'bad';
  const titles = {
    open: 'The invoice was not checked',
    good: 'The invoice follows all rules',
    bad: 'The invoice breaks rules',
  };
  return (
    <>
      <Verdict outcome={outcome} title={titles[outcome]}>
        {profile && <p class="soft">Profile: {profile}</p>}
        {message && <p class="soft">{capitalise(message)}</p>}
        {findings.length > 0 && (
          <ul class="problems">
            {findings.map((finding) => (
              <li key={`${finding.rule} ${finding.message}`}>
                {capitalise(finding.message)}
                <small>{finding.rule}</small>
              </li>
            ))}
          </ul>
        )}
      </Verdict>
      {xml && <CodeBlock label="Data of the invoice" code={xml} />}
    </>
  );
}
