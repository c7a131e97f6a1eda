import { xmpSamples, type RuleSample } from './rule-sample.ts';

const URIS = {
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  rights: 'http://ns.adobe.com/xap/1.0/rights/',
  mm: 'http://ns.adobe.com/xap/1.0/mm/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  aux: 'http://ns.adobe.com/exif/1.0/aux/',
  crs: 'http://ns.adobe.com/camera-raw-settings/1.0/',
  dm: 'http://ns.adobe.com/xmp/1.0/DynamicMedia/',
  pg: 'http://ns.adobe.com/xap/1.0/t/pg/',
  bj: 'http://ns.adobe.com/xap/1.0/bj/',
  ref: 'http://ns.adobe.com/xap/1.0/sType/ResourceRef#',
  event: 'http://ns.adobe.com/xap/1.0/sType/ResourceEvent#',
  job: 'http://ns.adobe.com/xap/1.0/sType/Job#',
  dim: 'http://ns.adobe.com/xap/1.0/sType/Dimensions#',
  img: 'http://ns.adobe.com/xap/1.0/g/img/',
  g: 'http://ns.adobe.com/xap/1.0/g/',
  x: 'urn:example#',
  pdfaExtension: 'http://www.aiim.org/pdfa/ns/extension/',
  pdfaSchema: 'http://www.aiim.org/pdfa/ns/schema#',
  pdfaProperty: 'http://www.aiim.org/pdfa/ns/property#',
  pdfaType: 'http://www.aiim.org/pdfa/ns/type#',
  pdfaField: 'http://www.aiim.org/pdfa/ns/field#',
};
const NAMESPACES = Object.entries(URIS)
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join('');

/** Adds properties, as XML elements, in a description of their own. */
const add = (elements: string) => (packet: string) =>
  packet.replace(
    '</rdf:RDF>',
    () => `<rdf:Description rdf:about=""${NAMESPACES}>${elements}</rdf:Description></rdf:RDF>`,
  );
const list = (kind: string, item: string, attributes = '') =>
  `<rdf:${kind}><rdf:li${attributes}>${item}</rdf:li></rdf:${kind}>`;
const resource = 'rdf:parseType="Resource"';
const property = (type: string, more = '') =>
  `<pdfaExtension:schemas>${list(
    'Bag',
    `<pdfaSchema:schema>A</pdfaSchema:schema><pdfaSchema:namespaceURI>urn:example#</pdfaSchema:namespaceURI><pdfaSchema:prefix>x</pdfaSchema:prefix><pdfaSchema:property>${list(
      'Seq',
      `<pdfaProperty:name>a</pdfaProperty:name><pdfaProperty:valueType>${type}</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>A</pdfaProperty:description>`,
      ` ${resource}`,
    )}</pdfaSchema:property>${more}`,
    ` ${resource}`,
  )}</pdfaExtension:schemas>`;
const type = (field: string) =>
  `<pdfaSchema:valueType>${list(
    'Seq',
    `<pdfaType:type>Sum</pdfaType:type><pdfaType:namespaceURI>urn:example#</pdfaType:namespaceURI><pdfaType:prefix>x</pdfaType:prefix><pdfaType:description>A</pdfaType:description><pdfaType:field>${list(
      'Seq',
      `<pdfaField:name>b</pdfaField:name><pdfaField:valueType>${field}</pdfaField:valueType><pdfaField:description>A</pdfaField:description>`,
      ` ${resource}`,
    )}</pdfaType:field>`,
    ` ${resource}`,
  )}</pdfaSchema:valueType>`;

/** Values of predefined properties, by property: `[whether it conforms, XML]`. */
const VALUES: readonly (readonly [RuleSample['conforms'], string])[] = [
  [true, '<dc:contributor><rdf:Bag/></dc:contributor>'],
  [false, `<dc:contributor>x</dc:contributor>`],
  [false, `<dc:contributor>${list('Seq', 'x')}</dc:contributor>`],
  [false, `<dc:relation>${list('Alt', 'x')}</dc:relation>`],
  [true, `<dc:rights>${list('Alt', 'x', ' xml:lang="x-default"')}</dc:rights>`],
  [false, `<dc:rights>${list('Alt', 'x')}</dc:rights>`],
  [false, '<dc:rights>x</dc:rights>'],
  [true, '<dc:rights><rdf:Alt/></dc:rights>'],
  [true, '<dc:format>application/pdf</dc:format>'],
  [false, '<dc:format>PDF</dc:format>'],
  [true, `<dc:language>${list('Bag', 'de-CH-1996')}</dc:language>`],
  [true, `<dc:language>${list('Bag', 'Deutsch (Schweiz)')}</dc:language>`],
  [true, `<dc:date>${list('Seq', '2020-05')}</dc:date>`],
  [false, `<dc:date>${list('Seq', 'May 2020')}</dc:date>`],
  [true, '<dc:source xml:lang="en">x</dc:source>'],
  [true, '<dc:source rdf:resource="https://example.com"/>'],
  [true, '<dc:source/>'],
  [true, `<dc:source ${resource}><rdf:value>x</rdf:value><x:note>y</x:note></dc:source>`],
  [false, `<dc:source ${resource}><x:note>y</x:note></dc:source>`],
  [false, `<dc:source>${list('Bag', 'x')}</dc:source>`],
  [false, '<dc:odd>x</dc:odd>'],
  [true, '<xmp:BaseURL>https://example.com</xmp:BaseURL>'],
  [true, `<xmp:Identifier>${list('Bag', 'x')}</xmp:Identifier>`],
  [false, '<xmp:Identifier>x</xmp:Identifier>'],
  ['2b', '<xmp:Rating>4.5</xmp:Rating>'],
  [false, '<xmp:Rating>good</xmp:Rating>'],
  ['2b', '<xmp:Label>x</xmp:Label>'],
  [true, `<xmp:Thumbnails>${list('Alt', '<img:width>1</img:width>', ` ${resource}`)}</xmp:Thumbnails>`],
  [false, `<xmp:Thumbnails>${list('Alt', '<img:width>x</img:width>', ` ${resource}`)}</xmp:Thumbnails>`],
  [false, `<xmp:Thumbnails>${list('Alt', '<img:odd>1</img:odd>', ` ${resource}`)}</xmp:Thumbnails>`],
  [true, '<rights:Marked>True</rights:Marked>'],
  [false, '<rights:Marked>true</rights:Marked>'],
  [true, `<mm:DerivedFrom ${resource}><ref:documentID>uuid:1</ref:documentID></mm:DerivedFrom>`],
  [true, '<mm:DerivedFrom ref:documentID="uuid:1" ref:instanceID="uuid:2"/>'],
  [false, '<mm:DerivedFrom>uuid:1</mm:DerivedFrom>'],
  [false, '<mm:DerivedFrom x:documentID="uuid:1"/>'],
  [true, `<mm:History>${list('Seq', '<event:when>2020-05-05</event:when>', ` ${resource}`)}</mm:History>`],
  [false, `<mm:History>${list('Seq', '<event:when>now</event:when>', ` ${resource}`)}</mm:History>`],
  [false, `<mm:History>${list('Bag', '<event:when>2020</event:when>', ` ${resource}`)}</mm:History>`],
  [true, '<mm:SaveID>-7</mm:SaveID>'],
  [false, '<mm:SaveID>7.5</mm:SaveID>'],
  [true, `<bj:JobRef>${list('Bag', '<job:name>x</job:name>', ` ${resource}`)}</bj:JobRef>`],
  [true, `<pg:MaxPageSize ${resource}><dim:w>8.5</dim:w><dim:unit>inch</dim:unit></pg:MaxPageSize>`],
  [false, `<pg:MaxPageSize ${resource}><dim:w>wide</dim:w></pg:MaxPageSize>`],
  ['2b', `<pg:Colorants>${list('Seq', '<g:cyan>100.0</g:cyan>', ` ${resource}`)}</pg:Colorants>`],
  ['2b', `<pg:PlateNames>${list('Seq', 'Cyan')}</pg:PlateNames>`],
  [false, '<pdf:Trapped>True</pdf:Trapped>'],
  [true, '<pdf:PDFVersion>1.4</pdf:PDFVersion>'],
  ['1b', '<photoshop:SupplementalCategories>x</photoshop:SupplementalCategories>'],
  ['2b', `<photoshop:SupplementalCategories>${list('Bag', 'x')}</photoshop:SupplementalCategories>`],
  [true, '<photoshop:Urgency>3</photoshop:Urgency>'],
  [false, '<photoshop:Urgency>high</photoshop:Urgency>'],
  [false, '<photoshop:ColorMode>3</photoshop:ColorMode>'],
  [true, '<tiff:Orientation>1</tiff:Orientation>'],
  [false, '<tiff:Orientation>top</tiff:Orientation>'],
  [true, `<tiff:BitsPerSample>${list('Seq', '8')}</tiff:BitsPerSample>`],
  [false, `<tiff:BitsPerSample>${list('Seq', 'eight')}</tiff:BitsPerSample>`],
  [true, '<tiff:XResolution>300/1</tiff:XResolution>'],
  [true, '<exif:ColorSpace>65535</exif:ColorSpace>'],
  ['1b', '<exif:MakerNote>x</exif:MakerNote>'],
  [true, '<exif:ExifVersion>0221</exif:ExifVersion>'],
  [true, `<exif:Flash ${resource}><exif:Fired>False</exif:Fired></exif:Flash>`],
  [false, `<exif:Flash ${resource}><exif:Fired>no</exif:Fired></exif:Flash>`],
  [true, '<exif:GPSLatitude>12,34.56N</exif:GPSLatitude>'],
  ['2b', '<exif:GPSLatitude>123,4.5678W</exif:GPSLatitude>'],
  [false, '<exif:GPSLatitude>12.34</exif:GPSLatitude>'],
  [true, '<exif:DateTimeOriginal>2020-05-05T10:00:00.25+02:00</exif:DateTimeOriginal>'],
  [true, '<exif:DateTimeOriginal>2020-05-05T10:00</exif:DateTimeOriginal>'],
  [true, '<exif:DateTimeOriginal></exif:DateTimeOriginal>'],
  [false, '<exif:DateTimeOriginal>2020:05:05 10:00:00</exif:DateTimeOriginal>'],
  [false, '<exif:DateTimeOriginal>2020-05-05 10:00</exif:DateTimeOriginal>'],
  ['2b', '<aux:Lens>x</aux:Lens>'],
  [false, '<aux:LensID>1</aux:LensID>'],
  ['2b', '<crs:HasCrop>False</crs:HasCrop>'],
  ['2b', '<crs:Exposure>+0.25</crs:Exposure>'],
  [false, '<crs:Exposure>bright</crs:Exposure>'],
  [false, '<crs:ProcessVersion>6.7</crs:ProcessVersion>'],
  ['2b', `<dm:duration ${resource}><dm:value>1</dm:value></dm:duration>`],
  [false, `<dm:duration ${resource}><dm:value>long</dm:value></dm:duration>`],
  ['2b', '<dm:audioSampleRate>44100</dm:audioSampleRate>'],
];

/**
 * Metadata with values of predefined properties, with other forms of RDF, and with extension schemas (ISO
 * 19005-2 6.6.2.3).
 */
export const XMP_SAMPLES = xmpSamples({
  ...Object.fromEntries(VALUES.map(([conforms, xml]) => [xml, [conforms, add(xml)] as const])),
  'a replacement character in a property': [true, add('<xmp:CreatorTool>\ufffd</xmp:CreatorTool>')],
  'two descriptions of different subjects': [
    false,
    (packet) =>
      packet.replace(
        '</rdf:RDF>',
        '<rdf:Description rdf:about="a"/><rdf:Description rdf:about="b"/></rdf:RDF>',
      ),
  ],
  'the same property twice': [false, add('<dc:source>a</dc:source><dc:source>b</dc:source>')],
  'the same property in two descriptions': [
    false,
    (packet) => add('<dc:source>a</dc:source>')(add('<dc:source>a</dc:source>')(packet)),
  ],
  'a property as XML': [false, add('<dc:source rdf:parseType="Literal">a</dc:source>')],
  'a property with two values': [false, add(`<dc:type>${list('Bag', 'x')}${list('Bag', 'x')}</dc:type>`)],
  'text beside a list': [false, add(`<dc:type>x${list('Bag', 'x')}</dc:type>`)],
  'a typed node': [false, (packet) => packet.replace('</rdf:RDF>', '<x:a xmlns:x="urn:x"/></rdf:RDF>')],
  'a description without a subject': [true, (packet) => packet.replaceAll(' rdf:about=""', '')],
  'no packet header': [true, (packet) => packet.replaceAll(/<\?xpacket[^<>]*>/g, '')],
  'no xmpmeta': [true, (packet) => packet.replaceAll(/<\/?x:xmpmeta[^<>]*>/g, '')],
  'no RDF': [false, (packet) => packet.replaceAll('rdf:RDF', 'rdf:Odd')],
  'a header with a bytes attribute': [false, (packet) => packet.replace('id="W5', 'bytes="9" id="W5')],
  'the identification as attributes': [
    true,
    (packet) =>
      packet
        .replace(/<pdfaid:part>(\d)<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/, '')
        .replace(
          '</rdf:RDF>',
          `<rdf:Description rdf:about="" xmlns:p="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="${/part>(\d)/.exec(packet)?.[1]}" pdfaid:conformance="B" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"/></rdf:RDF>`,
        ),
  ],
  'the identification as attributes with another prefix': [
    false,
    (packet) =>
      packet
        .replace(/<pdfaid:part>(\d)<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/, '')
        .replace(
          '</rdf:RDF>',
          `<rdf:Description rdf:about="" xmlns:p="http://www.aiim.org/pdfa/ns/id/" p:part="${/part>(\d)/.exec(packet)?.[1]}" p:conformance="B"/></rdf:RDF>`,
        ),
  ],
  'the identification with another prefix': [
    false,
    (packet) => packet.replaceAll('pdfaid:', 'p:').replaceAll('xmlns:pdfaid', 'xmlns:p'),
  ],
  'spaces around the part': [false, (packet) => packet.replace(/part>(\d)/, 'part> $1 ')],
  'a lower-case conformance level': [false, (packet) => packet.replace('>B<', '>b<')],
  'an amendment': [
    true,
    add('<pdfaid:amd xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">1:2005</pdfaid:amd>'),
  ],
  'a corrigendum': ['2b', add('<pdfaid:corr xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">1</pdfaid:corr>')],
  'an unknown property of the identification': [
    false,
    add('<pdfaid:rev xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">2020</pdfaid:rev>'),
  ],
  'an undescribed property': [false, add('<x:a>1</x:a>')],
  'a described property': [true, add(`<x:a>1</x:a>${property('Text')}`)],
  'a described property without a value': [true, add(property('Text'))],
  'a described integer': [true, add(`<x:a>1</x:a>${property('Integer')}`)],
  'a described integer with text': [false, add(`<x:a>one</x:a>${property('Integer')}`)],
  'a described open choice': [true, add(`<x:a>1</x:a>${property('Open Choice of Integer')}`)],
  'a described closed choice': [true, add(`<x:a>x</x:a>${property('closed Choice')}`)],
  'a described list': [true, add(`<x:a>${list('Bag', '1')}</x:a>${property('bag Integer')}`)],
  'a described list with text': [false, add(`<x:a>${list('Bag', 'one')}</x:a>${property('bag Integer')}`)],
  'a described list with one value': [false, add(`<x:a>1</x:a>${property('bag Integer')}`)],
  'a described list of another kind': [
    false,
    add(`<x:a>${list('Seq', '1')}</x:a>${property('bag Integer')}`),
  ],
  'a described text in languages': [
    true,
    add(`<x:a>${list('Alt', '1', ' xml:lang="en"')}</x:a>${property('Lang Alt')}`),
  ],
  'an unknown value type': [false, add(property('Sum'))],
  'a type in the wrong words': [false, add(property('List of Text'))],
  'a described type': [true, add(`<x:a ${resource}><x:b>1</x:b></x:a>${property('Sum', type('Integer'))}`)],
  'a described type with a wrong value': [
    false,
    add(`<x:a ${resource}><x:b>one</x:b></x:a>${property('Sum', type('Integer'))}`),
  ],
  'a described type with an unknown field': [
    false,
    add(`<x:a ${resource}><x:c>1</x:c></x:a>${property('Sum', type('Integer'))}`),
  ],
  'a described type with a field of an unknown type': [false, add(property('Sum', type('Odd')))],
  'a described type for a text': [false, add(`<x:a>1</x:a>${property('Sum', type('Integer'))}`)],
  'a description of a predefined property': [
    true,
    add(property('Text').replaceAll('urn:example#', URIS.dc).replace('>a<', '>source<')),
  ],
  'a schema without a structure': [
    false,
    add(`<pdfaExtension:schemas>${list('Bag', 'x')}</pdfaExtension:schemas>`),
  ],
  'no schemas': [true, add('<pdfaExtension:schemas><rdf:Bag/></pdfaExtension:schemas>')],
  'schemas in a sequence': [false, add(property('Text').replaceAll('rdf:Bag', 'rdf:Seq'))],
  'an internal property': [true, add(property('Text').replace('>external<', '>internal<'))],
  'an unknown category': [false, add(property('Text').replace('>external<', '>public<'))],
  'a schema with an unknown field': [
    false,
    add(
      property('Text').replace(
        '<pdfaSchema:prefix>',
        '<pdfaSchema:odd>1</pdfaSchema:odd><pdfaSchema:prefix>',
      ),
    ),
  ],
  'a property without a type': [
    false,
    add(property('Text').replace('<pdfaProperty:valueType>Text</pdfaProperty:valueType>', '')),
  ],
});
