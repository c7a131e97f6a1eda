"""Runs against the service at PLATEN_URL, with an account of its own: ``python -m unittest discover tests``.

With RECEIVER_PORT, a port of 127.0.0.1 that EGRESS_ALLOW names, it also receives webhooks.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import io
import json
import math
import os
import tempfile
import threading
import time
import unittest
import uuid
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

from platen import Document, Generation, Platen, PlatenError, RenderOptions, StoredFile, verify_webhook
from platen.types import GenerateResponse

SERVICE = os.environ["PLATEN_URL"]
JSON = {"content-type": "application/json"}
ID = {"x-request-id": "req_1"}
JSON_OF_PLATEN = {**JSON, **ID}


class Server:
    """A server on a port of 127.0.0.1."""

    def __init__(self, handle: Callable[[BaseHTTPRequestHandler, bytes], None], port: int = 0) -> None:
        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                handle(self, self.rfile.read(int(self.headers.get("content-length") or 0)))

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def respond(request: BaseHTTPRequestHandler, status: int, headers: dict[str, str], body: bytes = b"") -> None:
    request.send_response(status)
    for name, value in {"content-length": str(len(body)), **headers}.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(body)


def forward(request: BaseHTTPRequestHandler, body: bytes) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(urlsplit(SERVICE).netloc)
    headers = {name: value for name, value in request.headers.items() if name.lower() != "host"}
    connection.request(request.command, request.path, body, headers)
    response = connection.getresponse()
    kept = {name: response.headers[name] for name in ("content-type", "x-request-id")}
    result = response.status, kept, response.read()
    connection.close()
    return result


def relay(request: BaseHTTPRequestHandler, body: bytes) -> None:
    status, headers, content = forward(request, body)
    respond(request, status, headers, content)


def unique(name: str) -> str:
    """Make a name of this run, because others may have used the account before."""
    return f"{name}-{uuid.uuid4()}"


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.platen = self.client()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def client(self, **settings: Any) -> Platen:
        platen = Platen(**settings)
        self.addCleanup(platen.close)
        return platen

    def error_of(self, run: Callable[[], object]) -> PlatenError:
        with self.assertRaises(PlatenError) as raised:
            run()
        self.assertNotIn("\n", raised.exception.message)
        self.assertTrue(raised.exception.__suppress_context__ or raised.exception.__context__ is None)
        return raised.exception

    def test_generates_a_pdf_and_saves_and_returns_its_bytes(self) -> None:
        options: RenderOptions = {"format": "A5"}
        pdf = self.platen.generate(
            html="<h1>Hello {{name}}</h1>", data={"name": "Ada"}, options=options, file_name="hello"
        )
        self.assertIsInstance(pdf, GenerateResponse)
        self.assertRegex(pdf.id, "^gen_")
        self.assertEqual((pdf.pages, pdf.status, pdf.warnings), (1, "completed", []))
        self.assertEqual(pdf["status"], "completed")
        self.assertIsNone(pdf.reference)
        self.assertIn("pages", dir(pdf))
        with self.assertRaises(AttributeError):
            pdf.paegs  # type: ignore[attr-defined]
        path = self.folder / "hello.pdf"
        path.write_text("an older file")
        pdf.save(path)
        content = pdf.bytes()
        self.assertTrue(content.startswith(b"%PDF-"))
        self.assertEqual(path.read_bytes(), content)
        self.assertEqual(os.listdir(self.folder), ["hello.pdf"])
        self.assertEqual(sum(len(chunk) for chunk in pdf.stream()), pdf.file_size)
        self.assertEqual(json.loads(json.dumps(pdf.to_dict()))["id"], pdf.id)

    def test_makes_images(self) -> None:
        image = self.platen.image(html="<p>Hello</p>", options={"width": 200, "height": 100})
        self.assertEqual(image.content_type, "image/png")
        self.assertTrue(image.bytes().startswith(b"\x89PNG"))

    def test_waits_for_a_document_and_raises_its_fault(self) -> None:
        pdf = self.platen.generate(html="<p>Later</p>", async_=True)
        self.assertEqual(pdf.status, "queued")
        self.assertTrue(pdf.bytes().startswith(b"%PDF-"))
        self.assertEqual(self.platen.generations.wait(pdf.id).pages, 1)
        failing = self.platen.generate(html="<p>{{#if paid}}</p>", data={}, async_=True)
        error = self.error_of(failing.bytes)
        self.assertEqual(error.code, "TEMPLATE_ERROR")
        self.assertIn('"if" is not closed', error.message)

    def test_errors_have_code_status_fields_and_the_id_of_the_request(self) -> None:
        error = self.error_of(lambda: self.platen.generate(html="<p></p>", options={"margin": "10 parsecs"}))
        self.assertEqual((error.code, error.status), ("VALIDATION_ERROR", 400))
        self.assertEqual(error.details[0].path, "options.margin")
        self.assertRegex(error.request_id or "", "^req_")
        self.assertTrue(str(error).startswith("VALIDATION_ERROR: "))
        missing = self.error_of(lambda: self.platen.generations.get("gen_missing"))
        self.assertEqual((missing.code, missing.status), ("NOT_FOUND", 404))
        wrong = self.client(api_key="plt_live_wrong")
        self.assertEqual(self.error_of(lambda: wrong.generate(html="<p></p>")).code, "UNAUTHORIZED")

    def test_stores_reads_lists_changes_and_deletes_templates(self) -> None:
        html = "<h1>Invoice {{number}}</h1>"
        name, alias = unique("Invoice"), unique("invoice")
        template = self.platen.templates.create(name=name, html_content=html, alias=alias)
        self.assertEqual(self.platen.templates.get(alias).html_content, html)
        names = [each.name for each in self.platen.templates.list(search=name)]
        self.assertEqual(names, [name])
        pdf = self.platen.generate(template=alias, data={"number": 118})
        generation = self.platen.generations.get(pdf.id, receipt=True)
        self.assertIsInstance(generation, Generation)
        self.assertEqual(generation.template_id, template.id)
        assert generation.receipt
        self.assertIn(generation.receipt.class_, ("plain", "active"))
        self.assertEqual(self.platen.templates.update(template.id, name="Bill").name, "Bill")
        self.platen.templates.delete(template.id)
        self.assertEqual(self.error_of(lambda: self.platen.templates.get(template.id)).status, 404)

    def test_makes_batches_lists_their_documents_and_saves_them(self) -> None:
        accepted = self.platen.batches.create(
            items=[{"html": "<p>{{number}}</p>", "data": {"number": number}} for number in (1, 2, 3)]
        )
        batch = self.platen.batches.wait(accepted.batch_id)
        self.assertEqual((batch.status, batch.completed, batch.failed), ("completed", 3, 0))
        self.assertEqual([each.index for each in batch.generations], [0, 1, 2])
        saved = set()
        # One entry at a time, so that the list has three pages.
        for pdf in self.platen.generations.list(batch_id=batch.batch_id, limit=1):
            pdf.save(self.folder / f"{pdf.index}.pdf")
            saved.add((self.folder / f"{pdf.index}.pdf").read_bytes()[:5])
        self.assertEqual((saved, len(os.listdir(self.folder))), ({b"%PDF-"}, 3))
        self.assertIn(batch.batch_id, [each.batch_id for each in self.platen.batches.list()])

    def test_makes_a_batch_of_lists_iterables_and_files_and_downloads_its_items_and_archive(self) -> None:
        html = "<p>{{number}}</p>"
        template = self.platen.templates.create(name=unique("Bulk"), html_content=html).id
        records = [{"number": number} for number in (1, 2, 3)]
        lines, table = self.folder / "items.ndjson", self.folder / "items.csv"
        lines.write_text("".join(json.dumps(each) + "\n" for each in records))
        table.write_text("number\n1\n2\n3\n")
        options: RenderOptions = {"format": "A6"}
        create = self.platen.batches.create_bulk
        with table.open("rb") as file:
            for items in (iter(records), lines, str(table), file, lines.read_bytes(), io.BytesIO(b"n\n1\n2\n3")):
                accepted = create(items, template=template, options=options)
                self.assertEqual((accepted.total, accepted.skipped), (3, 0))
        bulk = create(records, template=template, file_name="Nr {{number}}", result="zip")
        progress: list[int] = []
        batch = self.platen.batches.wait(bulk.batch_id, lambda each: progress.append(each.completed))
        self.assertEqual((batch.status, batch.completed, progress[-1]), ("completed", 3, 3))
        names = []
        for item in self.platen.batches.items(bulk.batch_id, status="completed"):
            names.append(item.file_name)
            self.assertTrue(item.bytes().startswith(b"%PDF-"))
        self.assertEqual(names, ["Nr 1.pdf", "Nr 2.pdf", "Nr 3.pdf"])
        archive = self.platen.batches.result(bulk.batch_id)
        archive.save(self.folder / "all.zip")
        self.assertTrue((self.folder / "all.zip").read_bytes().startswith(b"PK"))
        links = self.platen.batches.result(accepted.batch_id)
        self.assertEqual(self.error_of(links.bytes).code, "NO_FILE")

    def test_a_batch_is_canceled_and_its_faults_have_their_lines(self) -> None:
        template = self.platen.templates.create(name=unique("Slow"), html_content="<p>{{number}}</p>").id
        create = self.platen.batches.create_bulk
        many = [{"number": number} for number in range(300)]
        slow: RenderOptions = {"waitFor": {"delayMs": 500}}
        batch = create(many, template=template, options=slow).batch_id
        self.assertEqual(self.platen.batches.cancel(batch).status, "canceled")
        statuses = [item.status for item in self.platen.batches.items(batch)]
        self.assertEqual(len(statuses), 300)
        self.assertGreater(statuses.count("canceled"), 250)
        error = self.error_of(lambda: create(b'{"number": 1}\nx\n', template=template))
        self.assertEqual((error.code, error.status), ("VALIDATION_ERROR", 400))
        self.assertEqual(error.details[0]["line"], 2)
        skipped = create(b'{"number": 1}\nx\n', template=template, on_invalid="skip")
        self.assertEqual((skipped.total, skipped.skipped), (1, 1))
        locked: RenderOptions = {"protect": {"userPassword": "a", "ownerPassword": "b"}}
        unmerged = create([{"number": 1}], template=template, result="pdf", options=locked).batch_id
        self.assertEqual(self.error_of(lambda: self.platen.batches.result(unmerged)).code, "RESULT_FAILED")
        for items in ([{"number": math.nan}], iter([{"number": math.nan}])):
            error = self.error_of(lambda items=items: create(items, template=template))  # type: ignore[misc]
            self.assertEqual(error.code, "INVALID_VALUE")
        empty = self.error_of(lambda: create(iter([]), template=template))
        self.assertIn("has no items", empty.message)

    def test_uploads_paths_bytes_files_and_pieces_and_downloads_them(self) -> None:
        path = self.folder / "upload.pdf"
        reference = unique("upload")
        self.platen.generate(html="<p>Upload</p>").save(path)
        content = path.read_bytes()
        with path.open("rb") as file:
            pieces = iter([content[:9], content[9:]])
            for each in (str(path), path, content, file, io.BytesIO(content), pieces):
                stored = self.platen.files.upload(
                    each, file_name="scan.pdf", reference=reference, metadata={"from": "test"}
                )
                self.assertEqual((stored.file_name, stored.pages), ("scan.pdf", 1))
                self.assertEqual(stored.metadata, {"from": "test"})
                self.assertEqual(b"".join(self.platen.files.download(stored.id)), content)
        files = []
        for stored in self.platen.files.list(reference=reference, limit=2):
            self.assertIsInstance(stored, StoredFile)
            files.append(stored)
            self.platen.files.delete(stored.id)
        self.assertEqual(len(files), 6)
        self.assertEqual(self.error_of(files[0].bytes).status, 404)

    def test_an_upload_has_the_name_of_the_local_file(self) -> None:
        bodies: list[bytes] = []

        def handle(request: BaseHTTPRequestHandler, body: bytes) -> None:
            bodies.append(body)
            respond(request, 201, JSON_OF_PLATEN, b'{"id": "file_1", "file_size": 1}')

        path = self.folder / "table.csv"
        path.write_text("a;b")
        with Server(handle) as server:
            for content in (path, path.read_bytes()):
                self.client(url=server.url).files.upload(content)
        self.assertIn(b'filename="table.csv"', bodies[0])
        self.assertIn(b'filename="file"', bodies[1])

    def test_runs_operations_on_pdfs_by_their_ids(self) -> None:
        one, two = (self.platen.generate(html=f"<p>{text}</p>") for text in ("One", "Two"))
        merged = self.platen.pdf("merge", pdfs=[one.id, two.id], file_name="both")
        self.assertIsInstance(merged, Document)
        self.assertRegex(merged.id, "^file_")
        merged.save(self.folder / "both.pdf")
        self.assertEqual(self.platen.pdf("info", pdf=merged.id).pages, 2)
        parts = self.platen.pdf("split", pdf=merged.id).parts
        self.assertEqual([part.bytes()[:5] for part in parts], [b"%PDF-", b"%PDF-"])
        self.assertEqual(self.platen.pdf("forms/list-fields", pdf=merged.id).fields, [])

    def test_bytes_files_and_paths_in_a_request_are_sent_in_base64(self) -> None:
        made = self.platen.generate(
            html="<p>Bytes</p>", options={"attachments": [{"name": "a.txt", "data": b"attached"}]}
        )
        path = self.folder / "bytes.pdf"
        made.save(path)
        content = path.read_bytes()
        with path.open("rb") as file:
            for pdf in (content, path, file):
                self.assertEqual(self.platen.pdf("info", pdf=pdf).pages, 1)
        merged = self.platen.pdf("merge", pdfs=[content, path, made.id])
        self.assertEqual(self.platen.pdf("info", pdf=merged.id).pages, 3)
        attached = self.platen.pdf("attachments", pdf=content, extract=["a.txt"])["attachments"]
        self.assertEqual(base64.b64decode(attached[0]["data"]), b"attached")

        starter = self.platen.request("GET", "/v1/starter-templates/service-agreement")
        office = self.folder / "agreement.docx"
        office.write_bytes(base64.b64decode(starter["file"]))
        template = self.platen.templates.create(name=unique("Agreement"), file=office)
        self.assertEqual(self.platen.templates.get(template.id)["file_size"], office.stat().st_size)
        self.platen.templates.update(template.id, file=office.read_bytes())
        self.assertEqual(self.platen.templates.get(template.id).version, 1)

        bodies: list[bytes] = []

        def handle(request: BaseHTTPRequestHandler, body: bytes) -> None:
            bodies.append(body)
            respond(request, 200, JSON_OF_PLATEN, b"{}")

        with Server(handle) as server:
            self.client(url=server.url).pdf("convert", file=b"a;b", file_type="csv")
        self.assertEqual(json.loads(bodies[0]), {"file": "YTti", "file_type": "csv"})

    def test_values_that_json_cannot_have_are_one_sentence_that_says_what_to_do(self) -> None:
        circular: dict[str, Any] = {}
        circular["self"] = circular
        for value in (object(), {1, 2}, math.nan, circular, io.StringIO("text"), "\ud800"):
            error = self.error_of(lambda: self.platen.generate(html="<p></p>", data={"value": value}))
            self.assertEqual(error.code, "INVALID_VALUE")
            self.assertRegex(error.message, r"^The request cannot be written as JSON \(.+\): correct the value\.$")
        missing = self.folder / "missing.docx"
        error = self.error_of(lambda: self.platen.pdf("convert", file=missing))
        self.assertEqual(error.code, "FILE_ERROR")
        self.assertRegex(error.message, r"missing\.docx cannot be used \(No such file.*\): correct the path")

    def test_another_server_is_not_taken_for_platen_whatever_it_answers(self) -> None:
        answers: list[tuple[int, dict[str, str], bytes]] = [
            (200, {}, b""),
            (200, JSON, b"{}"),
            (200, JSON, b'{"id": "gen_1", "pages": 1}'),
            (200, JSON, b'{"error": {"code": "WRONG", "message": "wrong"}}'),
            (200, ID, b""),
            (200, JSON_OF_PLATEN, b""),
            (200, JSON_OF_PLATEN, b"null"),
            (200, {**ID, "content-type": "text/plain"}, b"OK"),
            (204, {}, b""),
            (404, JSON, b'{"error": {}}'),
            (404, JSON, b'{"error": "not found"}'),
            (404, JSON, b"null"),
        ]
        for answer in answers:
            with Server(lambda request, body: respond(request, *answer)) as other:
                client = self.client(url=other.url)
                calls: list[Callable[[], object]] = [
                    lambda: client.generate(html="<p></p>"),
                    lambda: client.generations.get("gen_1"),
                    lambda: client.generations.wait("gen_1"),
                    lambda: client.files.upload(b"a"),
                ]
                for call in calls:
                    with self.subTest(answer=answer):
                        error = self.error_of(call)
                        self.assertEqual((error.code, error.status), ("NOT_PLATEN", answer[0]))

    def test_calls_every_other_route(self) -> None:
        self.platen.generate(html="<p></p>")
        self.assertGreater(self.platen.request("GET", "/v1/usage")["used"], 0)

    def test_a_request_is_repeated_with_its_key_and_has_its_effect_once(self) -> None:
        keys: list[str] = []
        reference = unique("once")

        def handle(request: BaseHTTPRequestHandler, body: bytes) -> None:
            keys.append(request.headers["idempotency-key"])
            if len(keys) == 1:
                respond(request, 503, {"retry-after": "0", "content-type": "application/json"}, b"{}")
            elif len(keys) == 2:
                # The document is made, but its response is lost.
                forward(request, body)
                request.close_connection = True
            elif len(keys) == 3:
                respond(request, 502, {"content-type": "text/html"}, b"<p>Bad gateway</p>")
            else:
                relay(request, body)

        with Server(handle) as gateway:
            client = self.client(url=f"{gateway.url}/")
            pdf = client.generate(html="<p>Once</p>", reference=reference)
            self.assertEqual((len(keys), len(set(keys))), (4, 1))
            again = client.generate(html="<p>Once</p>", reference=reference, idempotency_key=keys[0])
        self.assertEqual(again.id, pdf.id)
        self.assertEqual([each.id for each in self.platen.generations.list(reference=reference)], [pdf.id])

    def test_a_request_that_would_have_another_effect_is_not_repeated(self) -> None:
        attempts: list[str] = []

        def handle(request: BaseHTTPRequestHandler, body: bytes) -> None:
            attempts.append(request.path)
            request.close_connection = True

        with Server(handle) as gateway:
            client = self.client(url=gateway.url)
            error = self.error_of(lambda: client.templates.update("tmpl_1", name="New"))
            self.assertEqual(error.code, "CONNECTION_FAILED")
            self.error_of(lambda: client.request("POST", "/v1/keys", body={"name": "New"}))
            self.error_of(lambda: client.files.upload(io.BytesIO(b"%PDF-")))
        self.assertEqual(attempts, ["/v1/templates/tmpl_1", "/v1/keys", "/v1/files"])

    def test_a_service_that_is_silent_is_a_timeout(self) -> None:
        ended = threading.Event()

        def wait(request: BaseHTTPRequestHandler, body: bytes) -> None:
            ended.wait()

        with Server(wait) as silent:
            error = self.error_of(lambda: self.client(url=silent.url, timeout=0.05).generate(html="<p></p>"))
            ended.set()
        self.assertEqual(error.code, "TIMEOUT")

    def test_a_download_that_breaks_off_is_an_error_and_leaves_the_older_file(self) -> None:
        def handle(request: BaseHTTPRequestHandler, body: bytes) -> None:
            if request.path.startswith("/files/"):
                respond(request, 200, {"content-length": "1000"}, b"%PDF-")
                request.close_connection = True
            else:
                relay(request, body)

        path = self.folder / "older.pdf"
        path.write_text("older")
        with Server(handle) as gateway:
            pdf = self.client(url=gateway.url, retries=0).generate(html="<p></p>")
            message = self.error_of(lambda: pdf.save(path)).message
            self.assertEqual(message, "The download broke off: repeat it.")
        self.assertEqual(path.read_text(), "older")
        self.assertEqual(os.listdir(self.folder), ["older.pdf"])

    def test_bad_settings_and_paths_are_one_sentence_that_says_what_to_do(self) -> None:
        def message_of(run: Callable[[], object]) -> str:
            return self.error_of(run).message

        with mock.patch.dict(os.environ):
            del os.environ["PLATEN_API_KEY"]
            self.assertIn("no API key: set PLATEN_API_KEY", message_of(self.client))
        self.assertIn("copy it again", message_of(lambda: self.client(api_key="plt_live_1\n")))
        for url in ("localhost:3000", "http://", "http://127.0.0.1:port"):
            self.assertIn(f"'{url}': set it to a URL such as", message_of(lambda: self.client(url=url)))
        down = self.client(url="http://127.0.0.1:9", retries=0)
        message = message_of(lambda: down.generate(html="x"))
        self.assertRegex(message, r"cannot be reached \(.+\): start Platen")
        for status in (200, 404):
            html = {"content-type": "text/html"}
            with Server(lambda request, body: respond(request, status, html, b"<h1>Hello</h1>")) as other:
                message = message_of(lambda: self.client(url=other.url).generate(html="x"))
            self.assertIn(f"does not answer as Platen does (status {status}): correct PLATEN_URL", message)
        message = message_of(lambda: self.platen.files.upload("missing.pdf"))
        self.assertRegex(message, r"missing\.pdf cannot be used \(No such file.*\): correct the path")
        pdf = self.platen.generate(html="x")
        message = message_of(lambda: pdf.save(self.folder / "none" / "a.pdf"))
        self.assertRegex(message, r"a\.pdf cannot be used")
        self.assertIn("cannot be used (Is a directory)", message_of(lambda: pdf.save(self.folder)))

    def test_verifies_webhooks(self) -> None:
        secret = "whsec_" + base64.b64encode(b"0123456789abcdef01234567").decode()
        body = json.dumps({"type": "generation.completed", "data": {"id": "gen_1", "pages": 2}})

        def headers_at(seconds: float, version: str = "v1") -> dict[str, str]:
            at = str(int(time.time() + seconds))
            digest = hmac.digest(b"0123456789abcdef01234567", f"msg_1.{at}.{body}".encode(), hashlib.sha256)
            signature = f"v1,c2VjcmV0 {version},{base64.b64encode(digest).decode()}"
            return {"Webhook-Id": "msg_1", "Webhook-Timestamp": at, "Webhook-Signature": signature}

        for content in (body, body.encode()):
            event = verify_webhook(content, headers_at(0), secret)
            assert event.type == "generation.completed"
            self.assertEqual((event.data.id, event.data.pages), ("gen_1", 2))
        other = "whsec_" + base64.b64encode(b"another").decode()
        forgeries: list[tuple[str, dict[str, str], str]] = [
            (body + " ", headers_at(0), secret),
            (body, headers_at(-302), secret),
            (body, headers_at(302), secret),
            (body, headers_at(0, "v2"), secret),
            (body, {**headers_at(0), "Webhook-Signature": "v1,ä"}, secret),
            (body, {**headers_at(0), "Webhook-Timestamp": "²"}, secret),
            (body, headers_at(0), other),
            (body, {}, secret),
        ]
        for content, headers, key in forgeries:
            error = self.error_of(lambda: verify_webhook(content, headers, key))
            self.assertEqual(error.code, "INVALID_SIGNATURE")
        error = self.error_of(lambda: verify_webhook(body, headers_at(0), ""))
        self.assertEqual(error.code, "INVALID_SETTING")

    @unittest.skipUnless(os.environ.get("RECEIVER_PORT"), "RECEIVER_PORT is not set")
    def test_verifies_the_webhooks_that_the_service_sends(self) -> None:
        received: list[tuple[bytes, dict[str, str]]] = []
        arrived = threading.Event()

        def handle(request: BaseHTTPRequestHandler, body: bytes) -> None:
            respond(request, 200, {})
            received.append((body, dict(request.headers)))
            arrived.set()

        with Server(handle, int(os.environ["RECEIVER_PORT"])) as receiver:
            fields = {"url": receiver.url, "events": ["generation.completed"]}
            endpoint = self.platen.request("POST", "/v1/webhook-endpoints", body=fields)
            pdf = self.platen.generate(html="<p></p>")
            self.assertTrue(arrived.wait(30))
            self.platen.request("DELETE", f"/v1/webhook-endpoints/{endpoint['id']}")
        body, headers = received[0]
        event = verify_webhook(body, headers, endpoint["secret"])
        assert event.type == "generation.completed"
        self.assertEqual(event.data.id, pdf.id)
        with self.assertRaises(PlatenError):
            verify_webhook(body + b" ", headers, endpoint["secret"])


if __name__ == "__main__":
    unittest.main()
