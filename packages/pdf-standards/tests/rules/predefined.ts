import { xmpSamples, type RuleSample } from './rule-sample.ts';

const TYPES = 'http://ns.adobe.com/xap/1.0/sType/';
const DYNAMIC_MEDIA = 'http://ns.adobe.com/xmp/1.0/DynamicMedia/';
const EXIF = 'http://ns.adobe.com/exif/1.0/';

/** A value of each simple type. Values of the other simple types are any text. */
const VALUES: Readonly<Record<string, string>> = {
  Boolean: 'True',
  Integer: '-12',
  Real: '1.5',
  Date: '2020-05-05T10:00:00Z',
  MIMEType: 'image/jpeg',
  GPSCoordinate: '12,34.56N',
};
/** A field of each structured type, with its namespace. */
const FIELDS: Readonly<Record<string, readonly [namespace: string, field: string, value: string]>> = {
  Dimensions: [`${TYPES}Dimensions#`, 'w', '1.5'],
  Thumbnail: ['http://ns.adobe.com/xap/1.0/g/img/', 'format', 'JPEG'],
  ResourceEvent: [`${TYPES}ResourceEvent#`, 'when', '2020-05-05'],
  ResourceRef: [`${TYPES}ResourceRef#`, 'documentID', 'uuid:1'],
  Version: [`${TYPES}Version#`, 'modifyDate', '2020-05-05'],
  Job: [`${TYPES}Job#`, 'name', 'x'],
  Font: [`${TYPES}Font#`, 'composite', 'True'],
  Colorant: ['http://ns.adobe.com/xap/1.0/g/', 'red', '255'],
  Flash: [EXIF, 'Fired', 'True'],
  'OECF/SFR': [EXIF, 'Columns', '1'],
  CFAPattern: [EXIF, 'Rows', '1'],
  DeviceSettings: [EXIF, 'Rows', '1'],
  BeatSpliceStretch: [DYNAMIC_MEDIA, 'riseInDecibel', '1.5'],
  Marker: [DYNAMIC_MEDIA, 'comment', 'x'],
  Media: [DYNAMIC_MEDIA, 'path', 'x'],
  ProjectLink: [DYNAMIC_MEDIA, 'type', 'movie'],
  ResampleStretch: [DYNAMIC_MEDIA, 'quality', 'High'],
  Time: [DYNAMIC_MEDIA, 'value', '1'],
  Timecode: [DYNAMIC_MEDIA, 'timeFormat', '24Timecode'],
  TimeScaleStretch: [DYNAMIC_MEDIA, 'frameSize', '1.5'],
};

/** Returns the attributes and the content of an element whose value has a type. */
function valueOf(type: string): { attributes: string; content: string } {
  const [, kind, item] = /^(Bag|Seq|Alt) (.+)$/.exec(type) ?? [];
  if (kind !== undefined && item !== undefined) {
    const { attributes, content } = valueOf(item);
    return { attributes: '', content: `<rdf:${kind}><rdf:li${attributes}>${content}</rdf:li></rdf:${kind}>` };
  }
  if (type === 'Lang Alt')
    return { attributes: '', content: '<rdf:Alt><rdf:li xml:lang="en">x</rdf:li></rdf:Alt>' };
  const field = FIELDS[type];
  if (!field) return { attributes: '', content: VALUES[type] ?? 'x y' };
  const [namespace, name, value] = field;
  return {
    attributes: ` rdf:parseType="Resource" xmlns:s="${namespace}"`,
    content: `<s:${name}>${value}</s:${name}>`,
  };
}

/**
 * Returns a sample with a right value and one with a wrong value of each predefined property, except those
 * that the conforming file has already. A list of nothing but a structure is wrong for every type.
 */
export function predefinedSamples(properties: ReadonlyMap<string, string>): RuleSample[] {
  const table: Record<string, readonly [boolean, (packet: string) => string]> = {};
  for (const [property, type] of properties) {
    const [uri = '', name = ''] = property.split(' ');
    if (uri.includes('pdfa') || PRESENT.has(name)) continue;
    const add = (attributes: string, content: string) => (packet: string) =>
      packet.replace(
        '</rdf:RDF>',
        () =>
          `<rdf:Description rdf:about="" xmlns:t="${uri}"><t:${name}${attributes}>${content}</t:${name}></rdf:Description></rdf:RDF>`,
      );
    const { attributes, content } = valueOf(type);
    const wrong =
      '<rdf:Seq><rdf:li rdf:parseType="Resource" xmlns:o="urn:o#"><o:odd>1</o:odd></rdf:li></rdf:Seq>';
    table[`${property}: ${type}`] = [true, add(attributes, content)];
    table[`${property}: not ${type}`] = [false, add('', wrong)];
  }
  return xmpSamples(table);
}

const PRESENT = new Set('title CreatorTool Producer CreateDate ModifyDate MetadataDate'.split(' '));
