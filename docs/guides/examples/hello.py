# Makes hello.pdf. Run with Python 3.9 or newer: python3 hello.py
import json
import os
import urllib.request

server = os.environ.get("PLATEN_URL", "http://127.0.0.1:3000")

request = urllib.request.Request(
    f"{server}/v1/generate",
    data=json.dumps({"html": "<h1>Hello {{name}}</h1>", "data": {"name": "Ada"}}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['PLATEN_API_KEY']}",
        "Accept": "application/pdf",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response, open("hello.pdf", "wb") as file:
    file.write(response.read())
print("Saved hello.pdf")
