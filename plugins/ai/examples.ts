/** Example bodies of `POST /v1/ai/generate-template` for the documentation; a test sends them. */
export const generateTemplateExamples = {
  invoice: {
    prompt: 'An invoice for a bicycle workshop: logo, customer, repairs with hours and parts, VAT and total.',
    type: 'invoice',
    style: 'modern',
    variables: ['invoice_number', 'customer.name', 'repairs'],
  },
  'only a prompt': { prompt: 'A luggage tag with name, flight and a QR code.' },
};

export const generatedTemplateExample = {
  html: '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Invoice</title></head><body><h1>Invoice {{invoice_number}}</h1><p>{{customer.name}}</p>{{#each repairs}}<p>{{work}}: {{hours}} h</p>{{/each}}</body></html>',
  variables: ['invoice_number', 'customer.name', 'repairs', 'work', 'hours'],
  type: 'invoice',
  style: 'modern',
};
