"""Signs PDFs and validates signatures.

`sign FOLDER SOURCE.pdf...` writes signed files and prints their names; `validate FILE...` prints the verdicts. Both print JSON.
"""

import datetime
import json
import logging
import pathlib
import sys
from io import BytesIO

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.crypt import StandardSecurityHandler
from pyhanko.pdf_utils.generic import DecryptedObjectProxy, IndirectObject
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers
from pyhanko.sign.diff_analysis import (
    DEFAULT_DIFF_POLICY,
    ModificationLevel,
    ReferenceUpdate,
    StandardDiffPolicy,
    SuspiciousModification,
    WhitelistRule,
)
from pyhanko.sign.fields import FieldMDPAction, FieldMDPSpec, MDPPerm, SigFieldSpec
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

logging.disable(logging.CRITICAL)


class StampRule(WhitelistRule):
    """Allows additional stamps on a page and no other change to it. pyHanko has no such rule."""

    def apply(self, old, new):
        for old_page, new_page in zip(pages(old), pages(new), strict=True):
            before, after = plain(old_page), plain(new_page)
            same = {k: before.raw_get(k) for k in before if k != '/Annots'} == {
                k: after.raw_get(k) for k in after if k != '/Annots'
            }
            if not same:
                raise SuspiciousModification('a page changed in more than its annotations')
            kept, now = annotations(before), annotations(after)
            if now[: len(kept)] != kept:
                raise SuspiciousModification('annotations changed that were there before')
            added = now[len(kept) :]
            # The form rule covers widgets of later signatures.
            if not added or any(plain(item)['/Subtype'] != '/Stamp' for item in added):
                continue
            yield ReferenceUpdate(new_page.reference)
            listed = after.raw_get('/Annots')
            if isinstance(listed, IndirectObject):
                yield ReferenceUpdate(listed.reference)
        for reference in new.explicit_refs_in_revision():
            if old.is_ref_unassignable(reference):
                yield ReferenceUpdate(reference)


def plain(thing):
    while isinstance(thing, (IndirectObject, DecryptedObjectProxy)):
        thing = thing.get_object() if isinstance(thing, IndirectObject) else thing.decrypted
    return thing


def annotations(page):
    return list(plain(page.get('/Annots', ())))


def pages(revision):
    queue = [revision.root['/Pages']]
    for node in queue:
        for index in range(len(node['/Kids'])):
            reference = node['/Kids'].raw_get(index)
            kid = plain(reference)
            if '/Kids' in kid:
                queue.append(kid)
            else:
                yield reference


POLICY = StandardDiffPolicy(
    global_rules=[*DEFAULT_DIFF_POLICY.global_rules, StampRule().as_qualified(ModificationLevel.ANNOTATIONS)],
    form_rule=DEFAULT_DIFF_POLICY.form_rule,
)

# The signatures of each case: what each one certifies, locks or forbids.
CASES = {
    'approval': [{}],
    'certified-1': [{'certify': MDPPerm.NO_CHANGES}],
    'certified-2': [{'certify': MDPPerm.FILL_FORMS}],
    'certified-3': [{'certify': MDPPerm.ANNOTATE}],
    'locked-fields': [{'lock': FieldMDPSpec(FieldMDPAction.ALL)}],
    'locked-document': [{'lock': FieldMDPSpec(FieldMDPAction.ALL), 'forbid': MDPPerm.NO_CHANGES}],
    'approval-twice': [{}, {}],
}
# Additional cases for forms: a lock of one field.
FORM_CASES = {'locked-name': [{'lock': FieldMDPSpec(FieldMDPAction.INCLUDE, ['name'])}]}


def sign(folder, sources):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, 'Signer')])
    now = datetime.datetime.now(datetime.timezone.utc)
    usage = x509.KeyUsage(True, True, *[False] * 7)
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - datetime.timedelta(days=1))
    builder = builder.not_valid_after(now + datetime.timedelta(days=3650)).add_extension(usage, True)
    certificate = builder.sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    (folder / 'cert.pem').write_bytes(certificate.public_bytes(pem))
    private = serialization.PrivateFormat.PKCS8
    (folder / 'key.pem').write_bytes(key.private_bytes(pem, private, serialization.NoEncryption()))
    signer = signers.SimpleSigner.load(folder / 'key.pem', folder / 'cert.pem')
    names = []
    for source in sources:
        cases = {**CASES, **FORM_CASES} if source.stem.startswith('form') else CASES
        for case, steps in cases.items():
            # All fields are added first, because pyHanko rejects a page that got both a field and a stamp after a signature.
            data = add_fields(source.read_bytes(), steps)
            for number, step in enumerate(steps):
                data = sign_once(signer, data, f'Signature{number}', step)
            names.append(f'{source.stem}.{case}.signed.pdf')
            (folder / names[-1]).write_bytes(data)
    print(json.dumps(names))


def open_writer(data):
    writer = IncrementalPdfFileWriter(BytesIO(data), strict=False)
    if writer.prev.encrypted:
        writer.encrypt(user_pwd=b'')
    return writer


def add_fields(data, steps):
    writer = open_writer(data)
    for number, step in enumerate(steps):
        spec = SigFieldSpec(
            f'Signature{number}',
            box=(150, 10 + 60 * number, 290, 60 + 60 * number),
            field_mdp_spec=step.get('lock'),
            doc_mdp_update_value=step.get('forbid'),
        )
        fields.append_signature_field(writer, spec)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def sign_once(signer, data, name, step):
    writer = open_writer(data)
    certify = step.get('certify')
    metadata = signers.PdfSignatureMetadata(
        field_name=name,
        certify=certify is not None,
        docmdp_permissions=certify or MDPPerm.FILL_FORMS,
    )
    out = BytesIO()
    signers.sign_pdf(writer, metadata, signer, output=out)
    return out.getvalue()


def validate(files):
    results = {}
    for file in files:
        trust = ValidationContext(trust_roots=[load_cert_from_pemder(file.parent / 'cert.pem')])
        with file.open('rb') as stream:
            reader = PdfFileReader(stream, strict=False)
            if isinstance(reader.security_handler, StandardSecurityHandler):
                reader.decrypt(b'')
            results[file.name] = [
                summary(validate_pdf_signature(signature, trust, diff_policy=POLICY))
                for signature in reader.embedded_regular_signatures
            ]
    print(json.dumps(results))


def summary(status):
    difference = status.diff_result
    return {
        'intact': status.intact and status.valid and status.trusted,
        'permitted': bool(status.docmdp_ok),
        'holds': status.bottom_line,
        'changes': str(difference) if isinstance(difference, Exception) else status.modification_level.name,
    }


if __name__ == '__main__':
    command, *args = sys.argv[1:]
    paths = [pathlib.Path(arg) for arg in args]
    if command == 'sign':
        sign(paths[0], paths[1:])
    else:
        validate(paths)
