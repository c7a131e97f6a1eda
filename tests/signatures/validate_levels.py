"""Validates the files of levels.test.ts: `PKI FOLDER`, which has `<case>.pdf`. Prints JSON: the faults of each file."""

import json
import logging
import pathlib
import sys

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko_certvalidator import ValidationContext

logging.disable(logging.CRITICAL)

# The levels whose files contain all validation data. It must suffice, without any request.
LONG_TERM = {'b-lt', 'b-lta', 'two signers'}


def faults_of(path, root, issuer):
    name = path.stem.split(' certified')[0]
    faults = []
    with path.open('rb') as stream:
        reader = PdfFileReader(stream)
        for signature in reader.embedded_regular_signatures:
            context = ValidationContext(trust_roots=[root], other_certs=[issuer], allow_fetching=False)
            status = validate_pdf_signature(signature, context)
            if not status.bottom_line:
                faults.append(status.pretty_print_details())
            if name == 'b-t' and status.timestamp_validity is None:
                faults.append('has no timestamp')
            if name in LONG_TERM:
                options = {'trust_roots': [root], 'allow_fetching': False, 'revocation_mode': 'hard-fail'}
                context = DocumentSecurityStore.read_dss(reader).as_validation_context(options)
                status = validate_pdf_signature(signature, context, ts_validation_context=context)
                if not status.bottom_line or not status.timestamp_validity.trusted:
                    faults.append(status.pretty_print_details())
        if name == 'b-lta' and not reader.embedded_timestamp_signatures:
            faults.append('has no document timestamp')
    return faults


if __name__ == '__main__':
    pki, folder = [pathlib.Path(each) for each in sys.argv[1:]]
    trusted, issuer = [load_cert_from_pemder(pki / f'{name}.cert.pem') for name in ['root', 'interm']]
    print(json.dumps({path.name: faults_of(path, trusted, issuer) for path in sorted(folder.glob('*.pdf'))}))
