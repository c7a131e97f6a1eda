# Makes invoices from a stored template: python3 invoices.py
from platen import Platen, PlatenError

platen = Platen()

# 1. A stored template, and a PDF of it
template = platen.templates.create(
    name="Invoice",
    html_content='<h1>Invoice {{number}}</h1><p>{{formatCurrency total "EUR"}}</p>',
)
invoice = platen.generate(template=template.id, data={"number": 118, "total": 49.5})
invoice.save("invoice.pdf")
print(f"invoice.pdf has {invoice.pages} page")

# 2. Errors
try:
    platen.generate(html="<p>{{#if paid}}Paid</p>", data={})
except PlatenError as error:
    print(f"{error.code}: {error.message}")
    for detail in error.details:
        print(f"  {detail.path}: {detail.message}")

# 3. A batch: up to 100 PDFs in the background
numbers = [119, 120, 121]
accepted = platen.batches.create(
    items=[{"template": template.id, "data": {"number": number, "total": 10}} for number in numbers]
)
batch = platen.batches.wait(accepted.batch_id)
print(f"The batch has {batch.completed} PDFs and {batch.failed} failures")

ids = {}
for pdf in platen.generations.list(batch_id=batch.batch_id, status="completed"):
    ids[pdf.index] = pdf.id
    pdf.save(f"invoice-{numbers[pdf.index]}.pdf")

# 4. Operations on PDFs, by their ids
merged = platen.pdf("merge", pdfs=[ids[index] for index in sorted(ids)])
merged.save("invoices.pdf")
print(f"invoices.pdf has {platen.pdf('info', pdf=merged.id).pages} pages")

platen.templates.delete(template.id)
