# Makes invoices from a stored template. Run with Python 3.9 or newer: python3 invoices.py
import json
import os
import time
import urllib.error
import urllib.request
import uuid

server = os.environ.get("PLATEN_URL", "http://127.0.0.1:3000")
key = os.environ["PLATEN_API_KEY"]


class PlatenError(Exception):
    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.details = error["code"], error["details"]


def send(method, path, body=None, content_type="application/json", accept="application/json", headers=None):
    """Sends a request. Tries again while the service is busy (429) or unavailable (503)."""
    if isinstance(body, dict):
        body = json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {key}", "Accept": accept, **(headers or {})}
    if body is not None:
        headers["Content-Type"] = content_type
    for attempt in range(1, 6):
        try:
            return urllib.request.urlopen(
                urllib.request.Request(server + path, data=body, headers=headers, method=method)
            )
        except urllib.error.HTTPError as failure:
            error = json.load(failure)["error"]
            if failure.code not in (429, 503) or attempt == 5:
                raise PlatenError(error) from None
            time.sleep(float(failure.headers.get("Retry-After", "1")))


def save(response, name):
    with response, open(name, "wb") as file:
        file.write(response.read())


# 1. A stored template, and a PDF of it
template = json.load(
    send("POST", "/v1/templates", {
        "name": "Invoice",
        "html_content": '<h1>Invoice {{number}}</h1><p>{{formatCurrency total "EUR"}}</p>',
    })
)
invoice = send(
    "POST",
    "/v1/generate",
    {"template": template["id"], "data": {"number": 118, "total": 49.5}},
    accept="application/pdf",
)
save(invoice, "invoice.pdf")
print(f"invoice.pdf has {invoice.headers['Platen-Pages']} page")

# 2. Errors
try:
    send("POST", "/v1/generate", {"html": "<p>{{#if paid}}Paid</p>", "data": {}})
except PlatenError as error:
    print(error)
    for detail in error.details:
        print(f"  {detail['path']}: {detail['message']}")

# 3. A batch: up to 100 PDFs in the background
numbers = [119, 120, 121]
batch = json.load(
    send(
        "POST",
        "/v1/generate/batch",
        {"items": [{"template": template["id"], "data": {"number": n, "total": 10}} for n in numbers]},
        headers={"Idempotency-Key": str(uuid.uuid4())},
    )
)
while True:
    time.sleep(0.5)
    state = json.load(send("GET", f"/v1/batches/{batch['batch_id']}"))
    if state["status"] not in ("queued", "processing"):
        break
print(f"The batch has {state['completed']} PDFs and {state['failed']} failures")

made = json.load(send("GET", f"/v1/generations?batch_id={batch['batch_id']}&status=completed&limit=100"))
names = []
for item in sorted(made["data"], key=lambda item: item["index"]):
    names.append(f"invoice-{numbers[item['index']]}.pdf")
    save(urllib.request.urlopen(item["url"]), names[-1])  # links need no key

# 4. Files as multipart/form-data. With requests: files=[("pdfs", open(name, "rb")) for name in names]
boundary = uuid.uuid4().hex
parts = []
for name in names:
    with open(name, "rb") as file:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="pdfs"; filename="{name}"\r\n\r\n'
        parts.append(head.encode() + file.read() + b"\r\n")
form = b"".join(parts) + f"--{boundary}--\r\n".encode()
merged = send(
    "POST",
    "/v1/pdf/merge",
    form,
    content_type=f"multipart/form-data; boundary={boundary}",
    accept="application/pdf",
)
save(merged, "invoices.pdf")
print(f"invoices.pdf has {merged.headers['Platen-Pages']} pages")

send("DELETE", f"/v1/templates/{template['id']}")
