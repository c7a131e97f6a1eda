"""Runs the functions of pdfkit with the executable of the first argument, and prints the results as JSON."""

import json
import os
import sys

import pdfkit

executable, folder = sys.argv[1:3]
os.chdir(folder)
configuration = pdfkit.configuration(wkhtmltopdf=executable)
options = {
    'page-size': 'Letter',
    'margin-top': '0.75in',
    'encoding': 'UTF-8',
    'custom-header': [('Accept-Encoding', 'gzip')],
    'cookie': [('name', 'value'), ('other', 'value')],
    'no-outline': None,
    'footer-right': '[page] of [topage]',
    'quiet': '',
}


def write(name, data):
    with open(name, 'wb') as file:
        file.write(data)


results = {}
text = '<!doctype html><html><head><title>Text</title></head><body><h1>Grüße</h1></body></html>'
results['string'] = pdfkit.from_string(text, 'string.pdf', options=options, css='style.css', configuration=configuration)
results['file'] = pdfkit.from_file('page.html', 'file.pdf', configuration=configuration, options={'quiet': ''})
write('bytes.pdf', pdfkit.from_string(text, options={'quiet': ''}, configuration=configuration))
results['contents'] = pdfkit.from_file(
    ['page.html', 'page.html'],
    'contents.pdf',
    options={'enable-local-file-access': '', 'quiet': ''},
    toc={'toc-header-text': 'Contents'},
    cover='cover.html',
    cover_first=True,
    configuration=configuration,
)
results['url'] = pdfkit.from_url(sys.argv[3], 'url.pdf', options={'quiet': ''}, configuration=configuration)
try:
    pdfkit.from_string(text, 'bad.pdf', options={'no-such-flag': ''}, configuration=configuration)
except OSError as error:
    results['unknown'] = str(error)
try:
    pdfkit.from_file('page.html', 'bad.pdf', options={'quiet': '', 'header-html': './no-file.html'}, configuration=configuration)
except OSError as error:
    results['missing'] = str(error)
json.dump(results, sys.stdout)
