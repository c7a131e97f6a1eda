import type { Template } from '../data/types.ts';

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{title}}</title>
<style>
  @page { margin: 20mm; }
  body { font: 11pt/1.6 Inter, sans-serif; color: #1b1f27; }
  h1 { font-size: 22pt; letter-spacing: -0.01em; }
  table { width: 100%; border-collapse: collapse; }
  td { padding: 2mm 0; border-bottom: 0.5pt solid #d5d9e0; }
  td:last-child { text-align: right; }
</style>
</head>
<body>
  <h1>{{title}}</h1>
  <p>For {{customer.name}}</p>
  <table>
    {{#each items}}
      <tr><td>{{description}}</td><td>{{formatCurrency price "EUR"}}</td></tr>
    {{/each}}
  </table>
</body>
</html>
`;

/** Returns a small example of a template, which is not stored yet. */
export function newTemplate(): Template {
  const now = new Date().toISOString();
  return {
    id: '',
    name: '',
    category: 'other',
    format: 'html',
    schema: {},
    version: 1,
    current_version: 1,
    draft_version: null,
    is_public: false,
    partial: false,
    alias: null,
    tags: [],
    require_checks: false,
    created_at: now,
    updated_at: now,
    html_content: HTML,
    options: null,
    sample_data: {
      title: 'Estimate',
      customer: { name: 'Fellside Brewing Company' },
      items: [
        { description: 'Label design', price: 480 },
        { description: 'Print proof', price: 65 },
      ],
    },
  };
}
