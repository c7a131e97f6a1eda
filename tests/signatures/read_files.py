"""Opens PDFs in pyHanko and reads all their objects: `read_files.py FILE PASSWORD...` prints a JSON list with an entry for each file."""

import json
import logging
import sys
import zlib

from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.crypt import AuthStatus
from pyhanko.pdf_utils.reader import PdfFileReader

logging.disable(logging.CRITICAL)


def read(path, password):
    with open(path, "rb") as file:
        reader = PdfFileReader(file, strict=False)
        permissions = None
        if reader.encrypted:
            result = reader.decrypt(password)
            if result.status == AuthStatus.FAILED:
                raise ValueError("the password is wrong")
            permissions = reader.encrypt_dict["/P"]
        read_all(reader.root)
        return {"fault": None, "pages": int(reader.root["/Pages"]["/Count"]), "permissions": permissions}


def read_all(root):
    """Reads the objects that the catalog leads to, and decrypts their streams. Faults that only a filter finds do not count."""
    waiting, seen = [root], set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, generic.IndirectObject):
            if value.reference in seen:
                continue
            seen.add(value.reference)
            value = value.get_object()
        if isinstance(value, generic.StreamObject):
            try:
                value.data
            except (NotImplementedError, AssertionError, zlib.error):
                pass
        if isinstance(value, generic.DictionaryObject):
            waiting.extend(value.raw_get(key) for key in value)
        elif isinstance(value, generic.ArrayObject):
            waiting.extend(value.raw_get(index) for index in range(len(value)))


def describe(path, password):
    try:
        return read(path, password)
    except Exception as error:
        return {"fault": f"{type(error).__name__}: {error}"[:200], "pages": 0, "permissions": None}


arguments = sys.argv[1:]
print(json.dumps([describe(*pair) for pair in zip(arguments[::2], arguments[1::2])]))
