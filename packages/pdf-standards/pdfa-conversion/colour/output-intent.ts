import { deflateSync } from 'node:zlib';
import { Dict, name, PdfStream, PdfString, Ref, type PdfObject } from '@platen/pdf/objects';
import { srgbProfile } from '../../colour/srgb-profile.ts';

const CONDITION = 'sRGB IEC61966-2.1';
let profile: Uint8Array | undefined;

/** Builds the output intents of a document whose device colours are sRGB (ISO 19005-1 6.2.2). */
export function buildOutputIntents(): PdfObject[] {
  profile ??= deflateSync(srgbProfile());
  const text = (value: string) => new PdfString(Buffer.from(value, 'latin1'));
  const stream = new PdfStream(Dict.of({ N: 3, Filter: name('FlateDecode') }), profile);
  const intent = Dict.of({
    Type: name('OutputIntent'),
    S: name('GTS_PDFA1'),
    OutputConditionIdentifier: text(CONDITION),
    RegistryName: text('http://www.color.org'),
    Info: text(CONDITION),
    DestOutputProfile: Ref.to(stream),
  });
  return [Ref.to(intent)];
}
