"""A test PKI with new keys.

`serve FOLDER` writes it, prints a port, and serves revocation lists, OCSP, issuers and a TSA on loopback until its standard input ends.
`sign FOLDER PORT SOURCE.pdf` signs with it at every level and prints the names of the files. `validate FILE...` prints the results of pyHanko for
signed files, with the root in the folder of each file. Both print JSON.
"""

import json
import logging
import os
import pathlib
import socket
import sys
import threading
from io import BytesIO

import yaml
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers, timestamps
from pyhanko.sign.signers.pdf_signer import PdfTimeStamper
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko_certvalidator import ValidationContext

logging.disable(logging.CRITICAL)

# The fixtures of the repository must stay valid, so everything is valid for centuries.
VALIDITY = {'valid-from': '2020-01-01T00:00:00+0000', 'valid-to': '2400-01-01T00:00:00+0000'}
EXPIRED = {'valid-from': '2020-01-01T00:00:00+0000', 'valid-to': '2021-01-01T00:00:00+0000'}
LONG = 'P36500D'
SIGNERS = {
    'rsa': lambda: rsa.generate_private_key(65537, 2048),
    'p256': lambda: ec.generate_private_key(ec.SECP256R1()),
    'p384': lambda: ec.generate_private_key(ec.SECP384R1()),
    'p521': lambda: ec.generate_private_key(ec.SECP521R1()),
    'ed25519': ed25519.Ed25519PrivateKey.generate,
    'expired': lambda: ec.generate_private_key(ec.SECP256R1()),
    'revoked': lambda: ec.generate_private_key(ec.SECP256R1()),
    'plain': lambda: ec.generate_private_key(ec.SECP256R1()),
}
AUTHORITIES = ['root', 'interm', 'interm-ocsp', 'root-ocsp', 'tsa']


def write_pki(folder, port):
    keys = folder / 'keys'
    keys.mkdir(parents=True, exist_ok=True)
    for label in [*AUTHORITIES, *SIGNERS]:
        key = SIGNERS.get(label, SIGNERS['p256'])()
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        (keys / f'{label}.pem').write_bytes(pem)
    names = [*AUTHORITIES, *SIGNERS]
    extensions = [
        {
            'id': 'crl_distribution_points',
            'smart-value': {'schema': 'crl-dist-url', 'params': {'crl-repo-names': ['interm']}},
        },
        {
            'id': 'authority_information_access',
            'smart-value': {
                'schema': 'aia-urls',
                'params': {'ocsp-responder-names': ['interm'], 'ca-issuer-links': [{'repo': 'interm'}]},
            },
        },
    ]
    certs = {
        'root': {
            'subject': 'root',
            'issuer': 'root',
            'validity': VALIDITY,
            'profiles': [{'id': 'simple-ca', 'params': {'crl-repo': 'root', 'max-path-len': 1}}],
        },
        'interm': {
            'subject': 'interm',
            'issuer': 'root',
            'validity': VALIDITY,
            'profiles': [{'id': 'simple-ca', 'params': {'max-path-len': 0}}],
        },
        'interm-ocsp': {'subject': 'interm-ocsp', 'issuer': 'interm', 'validity': VALIDITY, 'profiles': ['ocsp-responder']},
        'root-ocsp': {'subject': 'root-ocsp', 'issuer': 'root', 'validity': VALIDITY, 'profiles': ['ocsp-responder']},
        'tsa': {
            'subject': 'tsa',
            'issuer': 'interm',
            'validity': VALIDITY,
            'extensions': [
                {
                    'id': 'extended_key_usage',
                    'critical': True,
                    'value': ['time_stamping'],
                },
                {
                    'id': 'key_usage',
                    'critical': True,
                    'smart-value': {'schema': 'key-usage', 'params': ['digital_signature']},
                },
                *extensions,
            ],
        },
    }
    for label in SIGNERS:
        certs[label] = {
            'subject': label,
            'issuer': 'interm',
            'validity': EXPIRED if label == 'expired' else VALIDITY,
            'profiles': ['digsig-commitment'],
            # Without addresses, nothing is fetched.
            'extensions': [] if label == 'plain' else extensions,
        }
    certs['revoked']['revocation'] = {'revoked-since': '2022-02-03T04:05:06+0000', 'reason': 'key_compromise'}
    config = {
        'external-url-prefix': f'http://127.0.0.1:{port}',
        'keysets': {'test': {'path-prefix': 'keys', 'keys': {name: {'path': f'{name}.pem'} for name in names}}},
        'pki-architectures': {
            'test': {
                'keyset': 'test',
                'entity-defaults': {'country-name': 'GB', 'organization-name': 'Platen tests'},
                'entities': {name: {'common-name': f'Test {name}'} for name in names},
                'certs': certs,
                'services': {
                    'ocsp': {
                        'interm': {'for-issuer': 'interm', 'responder-cert': 'interm-ocsp', 'validity-period': {'days': 36500}},
                    },
                    'crl-repo': {
                        'root': {'for-issuer': 'root', 'signing-key': 'root', 'simulated-update-schedule': LONG},
                        'interm': {'for-issuer': 'interm', 'signing-key': 'interm', 'simulated-update-schedule': LONG},
                    },
                    'cert-repo': {'interm': {'for-issuer': 'interm'}},
                    'time-stamping': {'tsa': {'signing-cert': 'tsa'}},
                },
            }
        },
    }
    (folder / 'certomancer.yml').write_text(yaml.safe_dump(config))


def serve(folder):
    from asn1crypto import pem
    from certomancer.integrations.animator import Animator, AnimatorArchStore
    from certomancer.registry.common import ArchLabel
    from certomancer.registry.config import CertomancerConfig
    from werkzeug.serving import make_server

    listener = socket.socket()
    listener.bind(('127.0.0.1', 0))
    listener.listen(128)
    port = listener.getsockname()[1]
    write_pki(folder, port)
    config = CertomancerConfig.from_file(folder / 'certomancer.yml', folder)
    arch = config.get_pki_arch(ArchLabel('test'))
    certs = {label: arch.get_cert(label).dump() for label in [*AUTHORITIES, *SIGNERS]}
    for label, der in certs.items():
        (folder / f'{label}.cert.pem').write_bytes(pem.armor('CERTIFICATE', der))
    parsed = {label: x509.load_der_x509_certificate(der) for label, der in certs.items()}
    for label in SIGNERS:
        key = serialization.load_pem_private_key((folder / 'keys' / f'{label}.pem').read_bytes(), None)
        encryption = serialization.BestAvailableEncryption(b'secret')
        issuers = [parsed['interm'], parsed['root']]
        file = pkcs12.serialize_key_and_certificates(label.encode(), key, parsed[label], issuers, encryption)
        (folder / f'{label}.p12').write_bytes(file)
    application = Animator(AnimatorArchStore(config.pki_archs))
    server = make_server('127.0.0.1', port, application, fd=listener.fileno())
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    print(port, flush=True)
    server.serve_forever()


def signer_of(folder, label, **settings):
    return signers.SimpleSigner.load(
        folder / 'keys' / f'{label}.pem',
        folder / f'{label}.cert.pem',
        ca_chain_files=(folder / 'interm.cert.pem',),
        **settings,
    )


def context_of(folder, **settings):
    return ValidationContext(
        trust_roots=[load_cert_from_pemder(folder / 'root.cert.pem')],
        other_certs=[load_cert_from_pemder(folder / 'interm.cert.pem')],
        **settings,
    )


LEVELS = {
    'b-b': {},
    'b-t': {'timestamp': True},
    'b-lt': {'timestamp': True, 'embed_validation_info': True},
    'b-lta': {'timestamp': True, 'embed_validation_info': True, 'use_pades_lta': True},
}


def sign_one(folder, port, data, label, level='b-b', field='Signature1', pss=False, **options):
    settings = dict(LEVELS[level])
    tsa = timestamps.HTTPTimeStamper(f'http://127.0.0.1:{port}/test/tsa/tsa')
    timestamper = tsa if settings.pop('timestamp', False) else None
    if settings.get('embed_validation_info'):
        settings['validation_context'] = context_of(folder, allow_fetching=True, revocation_mode='hard-fail')
    subfilter = options.pop('subfilter', SigSeedSubFilter.PADES)
    metadata = signers.PdfSignatureMetadata(field_name=field, subfilter=subfilter, **settings, **options)
    writer = IncrementalPdfFileWriter(BytesIO(data), strict=False)
    out = BytesIO()
    signer = signer_of(folder, label, prefer_pss=pss)
    signers.PdfSigner(metadata, signer, timestamper=timestamper).sign_pdf(writer, output=out)
    return out.getvalue()


def sign(folder, port, source):
    data = source.read_bytes()
    files = {
        **{level: sign_one(folder, port, data, 'p256', level) for level in LEVELS},
        **{kind: sign_one(folder, port, data, kind) for kind in ['rsa', 'p384', 'p521', 'ed25519', 'plain', 'expired', 'revoked']},
        'rsa-pss': sign_one(folder, port, data, 'rsa', pss=True),
        'sha512': sign_one(folder, port, data, 'rsa', md_algorithm='sha512'),
        'adobe': sign_one(folder, port, data, 'plain', subfilter=SigSeedSubFilter.ADOBE_PKCS7_DETACHED),
        'certified-1': sign_one(folder, port, data, 'plain', certify=True, docmdp_permissions=MDPPerm.NO_CHANGES),
        'certified-2': sign_one(folder, port, data, 'plain', certify=True, docmdp_permissions=MDPPerm.FILL_FORMS),
        'expired-b-t': sign_one(folder, port, data, 'expired', 'b-t'),
    }
    files['signed-twice'] = sign_one(folder, port, files['plain'], 'plain', field='Signature2')
    files['certified-then-signed'] = sign_one(folder, port, files['certified-2'], 'plain', field='Signature2')
    files['timestamped'] = timestamp(port, data)
    files['signed-then-timestamped'] = timestamp(port, files['plain'])
    files['forbidden-then-timestamped'] = timestamp(port, files['certified-1'])
    for name, content in files.items():
        (folder / f'{name}.pdf').write_bytes(content)
    print(json.dumps([f'{name}.pdf' for name in files]))


def timestamp(port, data):
    tsa = timestamps.HTTPTimeStamper(f'http://127.0.0.1:{port}/test/tsa/tsa')
    out = BytesIO()
    PdfTimeStamper(tsa).timestamp_pdf(IncrementalPdfFileWriter(BytesIO(data), strict=False), 'sha256', output=out)
    return out.getvalue()


def validate(files):
    verdicts = {}
    for file in files:
        try:
            with file.open('rb') as stream:
                reader = PdfFileReader(stream, strict=False)
                contexts = lambda: context_of(file.parent, allow_fetching=True)
                regular = [validate_pdf_signature(each, contexts()) for each in reader.embedded_regular_signatures]
                stamps = [validate_pdf_timestamp(each, contexts()) for each in reader.embedded_timestamp_signatures]
                verdicts[file.name] = {
                    'valid': all(each.bottom_line for each in regular)
                    and all(each.intact and each.valid and each.trusted for each in stamps),
                    'intact': all(each.intact and each.valid for each in [*regular, *stamps]),
                    'trusted': all(each.trusted for each in [*regular, *stamps]),
                    'count': len(regular) + len(stamps),
                }
        except Exception as error:
            verdicts[file.name] = {'valid': False, 'error': str(error)}
    print(json.dumps(verdicts))


if __name__ == '__main__':
    command, *args = sys.argv[1:]
    if command == 'serve':
        serve(pathlib.Path(args[0]))
    elif command == 'sign':
        sign(pathlib.Path(args[0]), int(args[1]), pathlib.Path(args[2]))
    else:
        validate([pathlib.Path(each) for each in args])
