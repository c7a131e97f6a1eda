# Makes hello.pdf: python3 hello.py
from platen import Platen

platen = Platen()  # reads PLATEN_URL and PLATEN_API_KEY
pdf = platen.generate(html="<h1>Hello {{name}}</h1>", data={"name": "Ada"})
pdf.save("hello.pdf")
print("Saved hello.pdf")
