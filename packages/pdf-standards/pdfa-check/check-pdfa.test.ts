import { beforeAll, describe, expect, test } from 'bun:test';
import { mutations } from '../tests/mutations.ts';
import { changed, convertible, openConforming } from '../tests/conforming-sample.ts';
import { Ref, writePdf } from '@platen/pdf/objects';
import { convertToPdfa } from '../pdfa-conversion/convert.ts';
import { checkPdfa } from './check-pdfa.ts';

let conforming: Uint8Array;

beforeAll(async () => {
  conforming = await convertToPdfa(Buffer.from(convertible, 'latin1'), { title: 'Title', author: 'Author' });
});

/**
 * Returns the conforming document with a text replaced by another text, which is padded to the same length.
 */
function patched(from: string, to: string): Uint8Array {
  const text = Buffer.from(conforming).toString('latin1');
  if (!text.includes(from)) throw new Error(`the document does not contain ${from}`);
  return Buffer.from(text.replace(from, to.padEnd(from.length)), 'latin1');
}

const clauses = (pdf: Uint8Array) => [...new Set(checkPdfa(pdf, '1b').map(({ clause }) => clause))];

describe('checkPdfa', () => {
  test('reports nothing for a converted document', () => {
    expect(checkPdfa(conforming, '1b')).toEqual([]);
    expect(
      checkPdfa(
        changed(conforming, () => {}),
        '1b',
      ),
    ).toEqual([]);
  });

  test.each(mutations)('reports %s: %s', (clause, _, change) => {
    expect(clauses(changed(conforming, change))).toEqual([clause]);
  });

  test('reports violations of the file syntax', () => {
    expect(clauses(patched('%PDF-1.4', '%FDP-1.4'))).toContain('6.1.2');
    expect(clauses(patched('\u00e2\u00e3\u00cf\u00d3', 'abcd'))).toEqual(['6.1.2']);
    expect(clauses(Buffer.concat([conforming, Buffer.from('more')]))).toEqual(['6.1.3']);
    expect(clauses(patched('/ID [', '/Id ['))).toEqual(['6.1.3']);
    expect(clauses(patched('xref\n0 ', 'xref\n0\t'))).toEqual(['6.1.4']);
    expect(clauses(patched(' 0 obj\n', ' 0 obj '))).toEqual(['6.1.8']);
    expect(clauses(patched('(Title)', '<54657>'))).toContain('6.1.6');
  });

  test('reports a cross-reference stream', () => {
    const { document } = openConforming(conforming);
    const root = document.trailer.raw('Root');
    if (!(root instanceof Ref)) throw new Error('the sample has no root');
    expect(clauses(writePdf({ root, version: '1.4', compact: true }))).toEqual(['6.1.4']);
  });
});
