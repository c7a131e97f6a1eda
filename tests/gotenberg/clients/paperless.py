"""Uses gotenberg-client like paperless-ngx, which prints e-mails, converts Office files and merges PDFs.

Arguments: the URL of the service, a folder with source files, a folder for results, and `office` if the service
converts Office files. Prints JSON.
"""

import json
import sys
from pathlib import Path

from gotenberg_client import GotenbergClient, HttpStatusError
from gotenberg_client.constants import A4
from gotenberg_client.options import Measurement, MeasurementUnitType, PageMarginsType, PdfAFormat

url, source, target, *office = sys.argv[1:]
source, target = Path(source), Path(target)
inch = Measurement(0.1, MeasurementUnitType.Inches)
margins = PageMarginsType(top=inch, bottom=inch, left=inch, right=inch)
result = {}

with GotenbergClient(host=url, timeout=60) as client:
    result["version"] = client.version.get()
    result["status"] = client.health.health().overall.value

    with client.chromium.html_to_pdf() as route:
        route.pdf_format(PdfAFormat.A2b)
        route.index(source / "index.html").resource(source / "style.css").margins(margins).size(A4).scale(1.0)
        route.run().to_file(target / "html.pdf")

    with client.chromium.markdown_to_pdf() as route:
        route.index(source / "template.html").markdown_file(source / "file.md").run().to_file(target / "markdown.pdf")

    with client.chromium.screenshot_html() as route:
        route.index(source / "index.html").width(400).height(300).clip_to_dimensions().run().to_file(
            target / "screenshot.png"
        )

    with client.merge.merge() as route:
        route.pdf_format(PdfAFormat.A2b)
        route.merge([target / "html.pdf", target / "markdown.pdf"]).run().to_file(target / "merged.pdf")

    with client.split.split() as route:
        route.split(target / "merged.pdf").split_mode("intervals").split_span("1").run().to_file(target / "split.zip")

    with client.metadata.write() as route:
        route.write(target / "merged.pdf").metadata(title="Other bills", keywords=["bill", "test"]).run().to_file(
            target / "titled.pdf"
        )
    with client.metadata.read() as route:
        result["title"] = route.read(target / "titled.pdf").run()["titled.pdf"]["Title"]

    if office:
        with client.libre_office.to_pdf() as route:
            route.pdf_format(PdfAFormat.A2b)
            route.convert(source / "note.fodt").run().to_file(target / "office.pdf")

    try:
        with client.chromium.html_to_pdf() as route:
            route.index(source / "index.html").page_ranges("9-10").run()
    except HttpStatusError as error:
        result["error"] = [error.response.status_code, error.response.content.decode()]

print(json.dumps(result))
