import { issue } from '../../packages/signatures/tests/certificates.ts';
import { pkcs12Of } from '../../packages/signatures/tests/pkcs12.ts';
import type { Visitor } from './browser.ts';

/** The ids of the records that {@link seed} made. */
export interface Seeded {
  invoice: string;
  /** A template with a draft, an alias and tags. */
  greeting: string;
  document: string;
  faulty: string;
  /** A document that is PDF/A-3b and signed. */
  archived: string;
}

interface Identified {
  id: string;
}

/** Fills an account as if a small company had used it for a while: templates, documents, a batch, keys. */
export async function seed(visitor: Visitor): Promise<Seeded> {
  for (const slug of [
    'report',
    'certificate',
    'quote',
    'statement-monthly',
    'payslip',
    'letter',
    'event-ticket',
  ])
    await visitor.cloneStarter(slug);
  const invoice = await visitor.cloneStarter('invoice-modern');
  type Template = Identified & { html_content: string; sample_data: Record<string, unknown> };
  const template = await visitor.api<Template>('GET', `/v1/templates/${invoice}`);
  await visitor.api('PUT', `/v1/templates/${invoice}`, {
    html_content: template.html_content.replace('--brand: #12403c', '--brand: #1d3a6e'),
  });
  for (const name of ['Invoicing (production)', 'Staging', 'Zapier'])
    await visitor.api('POST', '/studio/api/keys', { name });
  await visitor.api('POST', '/studio/api/members/invitations', {
    email: 'charles@tarnworks.example.com',
    role: 'editor',
  });
  const print = async (number: string) =>
    visitor.api<Identified>('POST', '/v1/generate', {
      template: invoice,
      data: { ...template.sample_data, number },
      file_name: `Invoice ${number}`,
      reference: 'fellside-brewing',
      metadata: { customer: 'Fellside Brewing' },
    });
  const greeting = await visitor.api<Identified>('POST', '/v1/templates', {
    name: 'Greeting',
    html_content: '<p>Welcome, {{name}}. Your table is {{table}}.</p>',
    schema: { name: 'string', table: 'number' },
    alias: 'greeting',
    tags: ['events', 'front desk'],
  });
  await visitor.api('PUT', `/v1/templates/${greeting.id}`, {
    html_content: '<p>Welcome, {{name}}. Your table is {{table}}. We wish you a pleasant evening.</p>',
    sample_data: { name: 'Ada', table: 7 },
    draft: true,
  });
  const cases = `/v1/templates/${greeting.id}/cases`;
  for (const [name, guest] of [
    ['Short name', 'Ada'],
    ['Long name', 'Augusta Ada King, Countess of Lovelace'],
  ]) {
    await visitor.api('PUT', `${cases}/${name}`, { data: { name: guest, table: 7 } });
    await visitor.api('POST', `${cases}/${name}/accept`, { version: 1 });
  }
  const reminder = await visitor.api<Identified>('POST', '/v1/templates', {
    name: 'Old reminder',
    html_content: '<p>Please pay.</p>',
  });
  await visitor.api('POST', `/studio/api/trash/templates/${reminder.id}`);
  const logo = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><circle cx="24" cy="24" r="24" fill="#e0b13c"/><path d="M24 8l9 13H15z" fill="#12403c"/></svg>',
  ).toString('base64');
  await visitor.api('POST', '/v1/assets', { name: 'mark.svg', data: logo });
  const faulty = await visitor.api<Identified>('POST', '/v1/generate', {
    html: '<h1>Spring newsletter</h1><img src="asset:logo.png" alt=""><script>document.title = issue.title</script>',
    file_name: 'Newsletter',
    reference: 'newsletter-88',
  });
  await visitor.api('POST', '/v1/generate', {
    markdown: '# Release notes\n\n- Faster previews\n- **Batches** can be canceled',
    file_name: 'Release notes',
  });
  await visitor.api('POST', '/v1/generate/batch', {
    items: Array.from({ length: 6 }, (_, index) => ({
      template: invoice,
      data: { ...template.sample_data, number: `TW-${20500 + index}` },
      file_name: `Invoice TW-${20500 + index}`,
      reference: 'march-run',
    })),
  });
  const { id: certificate } = await storeSigner(visitor);
  const archived = await visitor.api<Identified>('POST', '/v1/generate', {
    template: invoice,
    data: template.sample_data,
    file_name: 'Contract',
    options: { pdfa: '3b', signature: { certificate, visible: false } },
  });
  await visitor.api('POST', '/v1/pdf/merge', {
    pdfs: [archived.id, faulty.id],
    file_name: 'Contract with newsletter',
    expires_in: 604_800,
  });
  await visitor.api('POST', '/v1/pdf/compress', { pdf: faulty.id, file_name: 'Newsletter-compressed' });
  const { data: templates } = await visitor.api<{ data: Identified[] }>('GET', '/v1/templates?limit=5');
  for (const { id } of templates) await visitor.api('POST', `/v1/marketplace/${id}/publish`);
  // These receive no event while the screens are opened, so that nothing is sent to them.
  await visitor.api('POST', '/v1/webhook-endpoints', {
    url: 'https://staging.tarnworks.example.com/platen',
    events: ['generation.*', 'file.created'],
    description: 'Staging',
    enabled: false,
  });
  await visitor.api('POST', '/v1/webhook-endpoints', {
    url: 'https://shop.tarnworks.example.com/platen',
    events: ['webhook_endpoint.*'],
    description: 'Web shop',
  });
  await print('TW-20412');
  await print('TW-20415');
  const { id } = await print('TW-20417');
  return { invoice, greeting: greeting.id, document: id, faulty: faulty.id, archived: archived.id };
}

/** Stores the certificate of a signer whose authority is unknown to the service. */
async function storeSigner(visitor: Visitor): Promise<Identified> {
  const authority = issue({ name: 'Tarn Works CA', isAuthority: true, kind: 'p256' });
  const signer = issue({ name: 'Ada Byron', issuer: authority, kind: 'p256' });
  return visitor.api<Identified>('POST', '/v1/certificates', {
    pkcs12: pkcs12Of(signer, [authority]).toString('base64'),
  });
}
