/**
 * Predefined glyph names and encodings.
 * @module
 */

/** The standard strings of CFF, in the order of their SIDs (Adobe Technical Note 5176, appendix A). */
export const STANDARD_STRINGS: readonly string[] = words(`
.notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus comma
hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at A
B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore quoteleft
a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde exclamdown cent sterling
fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl endash
dagger daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis
perthousand questiondown grave acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek
caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi lslash oslash oe germandbls onesuperior
logicalnot mu trademark Eth onehalf plusminus Thorn onequarter divide brokenbar degree thorn threequarters twosuperior
registered minus eth multiply threesuperior copyright Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute
Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex Odieresis Ograve Otilde
Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron aacute acircumflex adieresis agrave aring atilde
ccedilla eacute ecircumflex edieresis egrave iacute icircumflex idieresis igrave ntilde oacute ocircumflex odieresis
ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron exclamsmall Hungarumlautsmall
dollaroldstyle dollarsuperior ampersandsmall Acutesmall parenleftsuperior parenrightsuperior twodotenleader
onedotenleader zerooldstyle oneoldstyle twooldstyle threeoldstyle fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle
eightoldstyle nineoldstyle commasuperior threequartersemdash periodsuperior questionsmall asuperior bsuperior
centsuperior dsuperior esuperior isuperior lsuperior msuperior nsuperior osuperior rsuperior ssuperior tsuperior ff
ffi ffl parenleftinferior parenrightinferior Circumflexsmall hyphensuperior Gravesmall Asmall Bsmall Csmall Dsmall
Esmall Fsmall Gsmall Hsmall Ismall Jsmall Ksmall Lsmall Msmall Nsmall Osmall Psmall Qsmall Rsmall Ssmall Tsmall Usmall
Vsmall Wsmall Xsmall Ysmall Zsmall colonmonetary onefitted rupiah Tildesmall exclamdownsmall centoldstyle Lslashsmall
Scaronsmall Zcaronsmall Dieresissmall Brevesmall Caronsmall Dotaccentsmall Macronsmall figuredash hypheninferior
Ogoneksmall Ringsmall Cedillasmall questiondownsmall oneeighth threeeighths fiveeighths seveneighths onethird
twothirds zerosuperior foursuperior fivesuperior sixsuperior sevensuperior eightsuperior ninesuperior zeroinferior
oneinferior twoinferior threeinferior fourinferior fiveinferior sixinferior seveninferior eightinferior nineinferior
centinferior dollarinferior periodinferior commainferior Agravesmall Aacutesmall Acircumflexsmall Atildesmall
Adieresissmall Aringsmall AEsmall Ccedillasmall Egravesmall Eacutesmall Ecircumflexsmall Edieresissmall Igravesmall
Iacutesmall Icircumflexsmall Idieresissmall Ethsmall Ntildesmall Ogravesmall Oacutesmall Ocircumflexsmall Otildesmall
Odieresissmall OEsmall Oslashsmall Ugravesmall Uacutesmall Ucircumflexsmall Udieresissmall Yacutesmall Thornsmall
Ydieresissmall 001.000 001.001 001.002 001.003 Black Bold Book Light Medium Regular Roman Semibold
`);

/** The glyph names of the codes 32 to 126 in StandardEncoding. */
const STANDARD_PRINTABLE = STANDARD_STRINGS.slice(1, 96);

// The codes 128 to 255 of WinAnsiEncoding and of the Mac OS encoding (ISO 32000-1 annex D).
const WIN_UPPER = words(`
Euro bullet quotesinglbase florin quotedblbase ellipsis dagger daggerdbl circumflex perthousand Scaron guilsinglleft
OE bullet Zcaron bullet bullet quoteleft quoteright quotedblleft quotedblright bullet endash emdash tilde trademark
scaron guilsinglright oe bullet zcaron Ydieresis space exclamdown cent sterling currency yen brokenbar section
dieresis copyright ordfeminine guillemotleft logicalnot hyphen registered macron degree plusminus twosuperior
threesuperior acute mu paragraph periodcentered cedilla onesuperior ordmasculine guillemotright onequarter onehalf
threequarters questiondown Agrave Aacute Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex
Edieresis Igrave Iacute Icircumflex Idieresis Eth Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply Oslash
Ugrave Uacute Ucircumflex Udieresis Yacute Thorn germandbls agrave aacute acircumflex atilde adieresis aring ae
ccedilla egrave eacute ecircumflex edieresis igrave iacute icircumflex idieresis eth ntilde ograve oacute ocircumflex
otilde odieresis divide oslash ugrave uacute ucircumflex udieresis yacute thorn ydieresis
`);
const MAC_UPPER = words(`
Adieresis Aring Ccedilla Eacute Ntilde Odieresis Udieresis aacute agrave acircumflex adieresis atilde aring ccedilla
eacute egrave ecircumflex edieresis iacute igrave icircumflex idieresis ntilde oacute ograve ocircumflex odieresis
otilde uacute ugrave ucircumflex udieresis dagger degree cent sterling section bullet paragraph germandbls registered
copyright trademark acute dieresis notequal AE Oslash infinity plusminus lessequal greaterequal yen mu partialdiff
summation product pi integral ordfeminine ordmasculine Omega ae oslash questiondown exclamdown logicalnot radical
florin approxequal Delta guillemotleft guillemotright ellipsis space Agrave Atilde Otilde OE oe endash emdash
quotedblleft quotedblright quoteleft quoteright divide lozenge ydieresis Ydieresis fraction currency guilsinglleft
guilsinglright fi fl daggerdbl periodcentered quotesinglbase quotedblbase perthousand Acircumflex Ecircumflex Aacute
Edieresis Egrave Iacute Icircumflex Idieresis Igrave Oacute Ocircumflex apple Ograve Uacute Ucircumflex Ugrave
dotlessi circumflex tilde macron breve dotaccent ring cedilla hungarumlaut ogonek caron
`);

/** The glyph names that the Mac OS encoding has and MacRomanEncoding does not (ISO 32000-1 table 115). */
const MAC_OS_ONLY = new Set(
  words(
    'notequal infinity lessequal greaterequal partialdiff summation product pi integral Omega radical approxequal Delta lozenge apple',
  ),
);

/** The glyph names of the 256 codes of a simple font; `undefined` for unused codes. */
export type CodeNames = readonly (string | undefined)[];

/** The codes 0 to 31, which no encoding uses. */
const CONTROL: CodeNames = Array<undefined>(32).fill(undefined);
/**
 * The glyph names of the codes 32 to 126 in WinAnsiEncoding and MacRomanEncoding, with the straight quotation
 * marks of ASCII.
 */
const ASCII_PRINTABLE = STANDARD_PRINTABLE.with(39 - 32, 'quotesingle').with(96 - 32, 'grave');

/** StandardEncoding, which is also the default encoding of CFF. */
export const STANDARD_ENCODING: CodeNames = standardEncoding();

/** The named encodings of font dictionaries. MacExpertEncoding is missing, because it is very rare. */
export const ENCODINGS: Readonly<Record<string, CodeNames>> = {
  StandardEncoding: STANDARD_ENCODING,
  WinAnsiEncoding: [...CONTROL, ...ASCII_PRINTABLE, 'bullet', ...WIN_UPPER],
  MacRomanEncoding: [
    ...CONTROL,
    ...ASCII_PRINTABLE,
    undefined,
    ...MAC_UPPER.map((glyph) => (MAC_OS_ONLY.has(glyph) ? undefined : glyph)),
  ],
};

/** The Mac OS encoding of TrueType character maps, which has more names than MacRomanEncoding. */
export const MAC_OS_ENCODING: CodeNames = [...CONTROL, ...ASCII_PRINTABLE, undefined, ...MAC_UPPER];

/**
 * The predefined CFF charsets ISOAdobe, Expert and ExpertSubset, as ranges of SIDs (Adobe Technical Note
 * 5176, appendix C).
 */
export const PREDEFINED_CHARSETS: readonly (readonly (readonly [number, number])[])[] = [
  [[0, 228]],
  ranges(
    '0-1 229-238 13-15 99-99 239-248 27-28 249-266 109-110 267-318 158-158 155-155 163-163 319-326 150-150 164-164 169-169 327-378',
  ),
  ranges(
    '0-1 231-232 235-238 13-15 99-99 239-248 27-28 249-251 253-266 109-110 267-270 272-272 300-302 305-305 314-315 158-158 ' +
      '155-155 163-163 320-326 150-150 164-164 169-169 327-346',
  ),
];

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

function ranges(text: string): [number, number][] {
  return text.split(' ').map((range) => {
    const [first = 0, last = 0] = range.split('-').map(Number);
    return [first, last];
  });
}

function standardEncoding(): CodeNames {
  const names = Array<string | undefined>(256).fill(undefined);
  // The ranges of used codes, whose names are consecutive standard strings.
  const runs: [number, number][] = [
    [32, 126],
    [161, 175],
    [177, 180],
    [182, 189],
    [191, 191],
    [193, 200],
    [202, 203],
    [205, 208],
    [225, 225],
    [227, 227],
    [232, 235],
    [241, 241],
    [245, 245],
    [248, 251],
  ];
  let number = 1;
  for (const [first, last] of runs)
    for (let code = first; code <= last; code++) names[code] = STANDARD_STRINGS[number++];
  return names;
}

/** The 258 standard Macintosh glyph names of the `post` table (ISO/IEC 14496-22 5.2.8.1). */
export const MAC_GLYPHS: readonly string[] = words(`
.notdef .null nonmarkingreturn space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft
parenright asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon semicolon
less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright
asciicircum underscore grave a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde
Adieresis Aring Ccedilla Eacute Ntilde Odieresis Udieresis aacute agrave acircumflex adieresis atilde aring ccedilla
eacute egrave ecircumflex edieresis iacute igrave icircumflex idieresis ntilde oacute ograve ocircumflex odieresis
otilde uacute ugrave ucircumflex udieresis dagger degree cent sterling section bullet paragraph germandbls registered
copyright trademark acute dieresis notequal AE Oslash infinity plusminus lessequal greaterequal yen mu partialdiff
summation product pi integral ordfeminine ordmasculine Omega ae oslash questiondown exclamdown logicalnot radical
florin approxequal Delta guillemotleft guillemotright ellipsis nonbreakingspace Agrave Atilde Otilde OE oe endash
emdash quotedblleft quotedblright quoteleft quoteright divide lozenge ydieresis Ydieresis fraction currency
guilsinglleft guilsinglright fi fl daggerdbl periodcentered quotesinglbase quotedblbase perthousand Acircumflex
Ecircumflex Aacute Edieresis Egrave Iacute Icircumflex Idieresis Igrave Oacute Ocircumflex apple Ograve Uacute
Ucircumflex Ugrave dotlessi circumflex tilde macron breve dotaccent ring cedilla hungarumlaut ogonek caron Lslash
lslash Scaron scaron Zcaron zcaron brokenbar Eth eth Yacute yacute Thorn thorn minus multiply onesuperior twosuperior
threesuperior onehalf onequarter threequarters franc Gbreve gbreve Idotaccent Scedilla scedilla Cacute cacute Ccaron
ccaron dcroat
`);
