# Uses a client that openapi-python-client has generated into the folder `platen`.
import json
import os

from platen import AuthenticatedClient
from platen.api.generate import generate_pdf, get_generation, list_generations
from platen.api.templates import create_template, get_template
from platen.models import (
    CreatedTemplate,
    CreateTemplateRequest,
    ErrorResponse,
    GenerateRequest,
    GenerateResponse,
    Generation,
    GenerationCompletedEvent,
    GenerationList,
    ListInclude,
    PaperFormat,
    PrintOptions,
    Receipt,
    Template,
    TemplateData,
)

client = AuthenticatedClient(base_url=os.environ["PLATEN_URL"], token=os.environ["PLATEN_API_KEY"])

template = create_template.sync(
    client=client,
    body=CreateTemplateRequest(
        name="Greeting",
        html_content="<h1>Hello {{name}}</h1>",
        options=PrintOptions(margin=20),
    ),
)
assert isinstance(template, CreatedTemplate)
stored = get_template.sync(template.id, client=client)
assert isinstance(stored, Template) and isinstance(stored.options, PrintOptions)
print(f"created {stored.id} with margin {stored.options.margin}")

made = generate_pdf.sync(
    client=client,
    body=GenerateRequest(
        template=template.id,
        data=TemplateData.from_dict({"name": "Ada"}),
        options=PrintOptions(format_=PaperFormat.A5, margin="1cm"),
    ),
)
assert isinstance(made, GenerateResponse)
print(f"generated {made.id} with {made.pages} page")

generation = get_generation.sync(made.id, client=client, receipt=True)
assert isinstance(generation, Generation) and isinstance(generation.receipt, Receipt)
print(f"read {generation.id}: {generation.status}, {generation.receipt.class_}")

generations = list_generations.sync(client=client, include=ListInclude.TOTAL)
assert isinstance(generations, GenerationList)
print(f"listed {generations.total}: {','.join(each.id for each in generations.data)}")

response = generate_pdf.sync_detailed(
    client=client,
    body=GenerateRequest(html="<h1>Hello</h1>", options=PrintOptions(margin="10 parsecs")),
)
assert isinstance(response.parsed, ErrorResponse)
error = response.parsed.error
print(f"{response.status_code} {error.code}: {error.details[0].path}")

event = GenerationCompletedEvent.from_dict(json.loads(os.environ["WEBHOOK_MESSAGE"]))
print(f"received {event.type_}: {event.data.reference}")
