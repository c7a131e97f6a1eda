/** The names of properties or fields, by namespace, and then by value type. */
export type PropertyTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

const DC = 'http://purl.org/dc/elements/1.1/';
const XMP = 'http://ns.adobe.com/xap/1.0/';
const RIGHTS = 'http://ns.adobe.com/xap/1.0/rights/';
const MM = 'http://ns.adobe.com/xap/1.0/mm/';
const BJ = 'http://ns.adobe.com/xap/1.0/bj/';
const PAGED_TEXT = 'http://ns.adobe.com/xap/1.0/t/pg/';
const DYNAMIC_MEDIA = 'http://ns.adobe.com/xmp/1.0/DynamicMedia/';
const PDF = 'http://ns.adobe.com/pdf/1.3/';
const PHOTOSHOP = 'http://ns.adobe.com/photoshop/1.0/';
const CAMERA_RAW = 'http://ns.adobe.com/camera-raw-settings/1.0/';
const TIFF = 'http://ns.adobe.com/tiff/1.0/';
const EXIF = 'http://ns.adobe.com/exif/1.0/';
const AUX = 'http://ns.adobe.com/exif/1.0/aux/';
const PDFA_ID = 'http://www.aiim.org/pdfa/ns/id/';
const TYPES = 'http://ns.adobe.com/xap/1.0/sType/';

/**
 * The predefined properties of the XMP Specification, in the editions of January 2004 and September 2005, and
 * of the PDF/A identification schema. Closed choices have the type of their values: cameras write values that
 * the editions do not list.
 */
export const PROPERTIES: PropertyTable = {
  [PDFA_ID]: { Integer: 'part', Text: 'amd conformance' },
  [DC]: {
    Text: 'coverage identifier source',
    MIMEType: 'format',
    'Bag ProperName': 'contributor publisher',
    'Seq ProperName': 'creator',
    'Seq Date': 'date',
    'Bag Locale': 'language',
    'Bag Text': 'relation subject type',
    'Lang Alt': 'description rights title',
  },
  [XMP]: {
    'Bag Text': 'Advisory Identifier',
    URL: 'BaseURL',
    Date: 'CreateDate MetadataDate ModifyDate',
    AgentName: 'CreatorTool',
    Text: 'Nickname',
    'Alt Thumbnail': 'Thumbnails',
  },
  [RIGHTS]: {
    URL: 'Certificate WebStatement',
    Boolean: 'Marked',
    'Bag ProperName': 'Owner',
    'Lang Alt': 'UsageTerms',
  },
  [MM]: {
    ResourceRef: 'DerivedFrom ManagedFrom RenditionOf',
    URI: 'DocumentID InstanceID ManageTo ManageUI',
    'Seq ResourceEvent': 'History',
    AgentName: 'Manager',
    Text: 'ManagerVariant RenditionParams VersionID',
    RenditionClass: 'RenditionClass',
    'Seq Version': 'Versions',
    URL: 'LastURL',
    Integer: 'SaveID',
  },
  [BJ]: { 'Bag Job': 'JobRef' },
  [PAGED_TEXT]: { Dimensions: 'MaxPageSize', Integer: 'NPages' },
  [PDF]: { Text: 'Keywords PDFVersion', AgentName: 'Producer' },
  [PHOTOSHOP]: {
    Text: 'AuthorsPosition Category City Country Credit Headline Instructions Source State TransmissionReference',
    ProperName: 'CaptionWriter',
    Date: 'DateCreated',
    Integer: 'Urgency',
  },
  [TIFF]: {
    Integer:
      'ImageWidth ImageLength SamplesPerPixel Compression PhotometricInterpretation Orientation PlanarConfiguration YCbCrPositioning ResolutionUnit',
    'Seq Integer': 'BitsPerSample TransferFunction YCbCrSubSampling',
    Rational: 'XResolution YResolution',
    'Seq Rational': 'WhitePoint PrimaryChromaticities YCbCrCoefficients ReferenceBlackWhite',
    Date: 'DateTime',
    'Lang Alt': 'ImageDescription Copyright',
    ProperName: 'Make Model Artist',
    AgentName: 'Software',
  },
  [EXIF]: {
    Text: 'RelatedSoundFile SpectralSensitivity ImageUniqueID GPSVersionID GPSSatellites GPSMapDatum GPSProcessingMethod GPSAreaInformation GPSStatus GPSSpeedRef GPSTrackRef GPSImgDirectionRef GPSDestBearingRef GPSDestDistanceRef ExifVersion FlashpixVersion',
    Integer:
      'PixelXDimension PixelYDimension FocalLengthIn35mmFilm ExposureProgram MeteringMode FocalPlaneResolutionUnit SensingMethod FileSource SceneType CustomRendered ExposureMode WhiteBalance SceneCaptureType GainControl Contrast Saturation Sharpness SubjectDistanceRange GPSAltitudeRef GPSDifferential ColorSpace LightSource',
    Rational:
      'CompressedBitsPerPixel ExposureTime FNumber ShutterSpeedValue ApertureValue BrightnessValue ExposureBiasValue MaxApertureValue SubjectDistance FocalLength FlashEnergy FocalPlaneXResolution FocalPlaneYResolution ExposureIndex DigitalZoomRatio GPSAltitude GPSDOP GPSSpeed GPSTrack GPSImgDirection GPSDestBearing GPSDestDistance',
    'Seq Integer': 'ISOSpeedRatings SubjectArea SubjectLocation ComponentsConfiguration',
    'Lang Alt': 'UserComment',
    Date: 'DateTimeOriginal DateTimeDigitized GPSTimeStamp',
    GPSCoordinate: 'GPSLatitude GPSLongitude GPSDestLatitude GPSDestLongitude',
    'OECF/SFR': 'OECF SpatialFrequencyResponse',
    Flash: 'Flash',
    CFAPattern: 'CFAPattern',
    DeviceSettings: 'DeviceSettingDescription',
  },
};

/**
 * The properties that only the edition of 2004 has, to which PDF/A-1 refers, or whose value type the edition
 * of 2005 changed.
 */
export const PROPERTIES_2004: PropertyTable = {
  [PHOTOSHOP]: { Text: 'SupplementalCategories' },
  [EXIF]: { Text: 'MakerNote', Integer: 'GPSMeasureMode' },
};

/**
 * The properties that only the edition of 2005 has, to which PDF/A-2 and PDF/A-3 refer, or whose value type
 * it changed.
 */
export const PROPERTIES_2005: PropertyTable = {
  [PDFA_ID]: { Text: 'corr' },
  [XMP]: { Text: 'Label', Real: 'Rating' },
  [PAGED_TEXT]: { 'Bag Font': 'Fonts', 'Seq Colorant': 'Colorants', 'Seq Text': 'PlateNames' },
  [PHOTOSHOP]: { 'Bag Text': 'SupplementalCategories' },
  [EXIF]: { Text: 'GPSMeasureMode' },
  [AUX]: { Text: 'Lens SerialNumber' },
  [CAMERA_RAW]: {
    Boolean: 'AutoBrightness AutoContrast AutoExposure AutoShadows HasCrop HasSettings',
    Integer:
      'BlueHue BlueSaturation Brightness ChromaticAberrationB ChromaticAberrationR ColorNoiseReduction Contrast CropUnits GreenHue GreenSaturation LuminanceSmoothing RedHue RedSaturation Saturation Shadows ShadowTint Sharpness Temperature Tint VignetteAmount VignetteMidpoint',
    Real: 'CropTop CropLeft CropBottom CropRight CropAngle CropWidth CropHeight Exposure',
    Text: 'CameraProfile RawFileName ToneCurveName Version WhiteBalance',
    'Seq Text': 'ToneCurve',
  },
  [DYNAMIC_MEDIA]: {
    ProjectLink: 'projectRef',
    Dimensions: 'videoFrameSize',
    Rational: 'videoPixelAspectRatio fileDataRate',
    Boolean: 'videoAlphaUnityIsTransparent loop',
    Colorant: 'videoAlphaPremultipleColor',
    Integer: 'audioSampleRate trackNumber',
    Timecode: 'startTimecode altTimecode',
    Time: 'duration introTime outCue relativeTimestamp',
    Date: 'shotDate videoModDate audioModDate metadataModDate releaseDate',
    'Seq Marker': 'markers',
    'Bag Media': 'contributedMedia',
    URI: 'absPeakAudioFilePath relativePeakAudioFilePath',
    Real: 'tempo numberOfBeats',
    TimeScaleStretch: 'timeScaleParams',
    ResampleStretch: 'resampleParams',
    BeatSpliceStretch: 'beatSpliceParams',
    Text: 'videoFrameRate videoCompressor audioCompressor speakerPlacement tapeName altTapeName scene shotName shotLocation logComment artist album genre copyright composer engineer instrument videoPixelDepth videoColorSpace videoAlphaMode videoFieldOrder pullDown audioSampleType audioChannelType key stretchMode timeSignature scaleType',
  },
};

/** The fields of the structured value types of both editions. */
export const STRUCTURES: Readonly<Record<string, PropertyTable>> = {
  Dimensions: { [`${TYPES}Dimensions#`]: { Real: 'w h', Text: 'unit' } },
  Thumbnail: { 'http://ns.adobe.com/xap/1.0/g/img/': { Integer: 'height width', Text: 'format image' } },
  ResourceEvent: {
    [`${TYPES}ResourceEvent#`]: {
      Text: 'action parameters',
      URI: 'instanceID',
      AgentName: 'softwareAgent',
      Date: 'when',
    },
  },
  ResourceRef: {
    [`${TYPES}ResourceRef#`]: {
      URI: 'instanceID documentID manageTo manageUI',
      Text: 'versionID renditionParams managerVariant',
      RenditionClass: 'renditionClass',
      AgentName: 'manager',
    },
  },
  Version: {
    [`${TYPES}Version#`]: {
      Text: 'comments version',
      ResourceEvent: 'event',
      Date: 'modifyDate',
      ProperName: 'modifier',
    },
  },
  Job: { [`${TYPES}Job#`]: { Text: 'name id', URL: 'url' } },
  Flash: { [EXIF]: { Boolean: 'Fired Function RedEyeMode', Text: 'Return Mode' } },
  'OECF/SFR': { [EXIF]: { Integer: 'Columns Rows', 'Seq Text': 'Names', 'Seq Rational': 'Values' } },
  CFAPattern: { [EXIF]: { Integer: 'Columns Rows', 'Seq Integer': 'Values' } },
  DeviceSettings: { [EXIF]: { Integer: 'Columns Rows', 'Seq Text': 'Settings' } },
};

/** The fields of the structured value types that the edition of 2005 adds. */
export const STRUCTURES_2005: Readonly<Record<string, PropertyTable>> = {
  Colorant: {
    'http://ns.adobe.com/xap/1.0/g/': {
      Text: 'swatchName mode type',
      Real: 'cyan magenta yellow black L',
      Integer: 'red green blue A B',
    },
  },
  Font: {
    [`${TYPES}Font#`]: {
      Text: 'fontName fontFamily fontFace fontType versionString fontFileName',
      Boolean: 'composite',
      'Seq Text': 'childFontFiles',
    },
  },
  BeatSpliceStretch: {
    [DYNAMIC_MEDIA]: { Boolean: 'useFileBeatsMarker', Real: 'riseInDecibel', Time: 'riseInTimeDuration' },
  },
  Marker: {
    [DYNAMIC_MEDIA]: { Any: 'startTime duration', Text: 'comment name target type', URI: 'location' },
  },
  Media: {
    [DYNAMIC_MEDIA]: {
      URI: 'path webStatement',
      Text: 'track',
      Time: 'startTime duration',
      Boolean: 'managed',
    },
  },
  ProjectLink: { [DYNAMIC_MEDIA]: { URI: 'path', Text: 'type' } },
  ResampleStretch: { [DYNAMIC_MEDIA]: { Text: 'quality' } },
  Time: { [DYNAMIC_MEDIA]: { Integer: 'value', Rational: 'scale' } },
  Timecode: { [DYNAMIC_MEDIA]: { Text: 'timeValue timeFormat' } },
  TimeScaleStretch: {
    [DYNAMIC_MEDIA]: { Real: 'frameSize frameOverlappingPercentage', Text: 'quality' },
  },
};
