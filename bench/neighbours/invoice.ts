const TEMPLATE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Invoice {{number}}</title>
<style>
  body { margin: 0; font: 12px/1.4 Arial, "Liberation Sans", sans-serif }
  table { width: 100%; border-collapse: collapse }
  th, td { padding: 6px; border-bottom: 1px solid #ddd; text-align: left }
  td:nth-child(n+3), th:nth-child(n+3) { text-align: right }
</style>
</head>
<body>
<h1>Invoice {{number}}</h1>
<p>{{customer.name}}<br>{{customer.city}}</p>
<table>
<thead><tr><th>#</th><th>Description</th><th>Quantity</th><th>Price</th></tr></thead>
<tbody>{{#each rows}}<tr><td>{{position}}</td><td>{{description}}</td><td>{{quantity}}</td><td>{{price}}</td></tr>{{/each}}</tbody>
</table>
<p>Total: {{total}}</p>
</body>
</html>`;

const ROWS = 20;

/** The body of account B's request: a one-page invoice of 20 rows, as a template with data. */
export const invoiceRequest = {
  html: TEMPLATE,
  data: {
    number: '2026-0418',
    customer: { name: 'Harbour Museum Foundation', city: '5004 Bergen, Norway' },
    rows: Array.from({ length: ROWS }, (_, index) => ({
      position: index + 1,
      description: `Workshop, day ${index + 1}`,
      quantity: 1 + (index % 4),
      price: `${300 + index * 10}.00`,
    })),
    total: '15,800.00',
  },
} as const;
