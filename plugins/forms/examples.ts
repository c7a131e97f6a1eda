/**
 * A form of one page with a text field and a checkbox. It has no cross-reference table, so opening it repairs
 * it.
 */
export const sampleForm = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R]/DA(/Helv 0 Tf 0 g)/DR<</Font<</Helv 6 0 R>>>>>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<<>>/Annots[4 0 R 5 0 R]>>endobj
4 0 obj<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[20 60 180 80]/F 4/P 3 0 R>>endobj
5 0 obj<</Type/Annot/Subtype/Widget/FT/Btn/T(agree)/Rect[20 30 34 44]/F 4/P 3 0 R/AS/Off/AP<</N<</Yes 7 0 R/Off 8 0 R>>>>>>endobj
6 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>endobj
7 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 14 14]/Length 26>>stream
2 2 m 12 12 l 2 12 m 12 2 l S
endstream endobj
8 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 14 14]/Length 0>>stream

endstream endobj
trailer<</Root 1 0 R/Size 9>>
%%EOF`,
).toString('base64');

/** An example response of `POST /v1/pdf/forms/list-fields`. */
export const listExample = {
  fields: [
    {
      name: 'applicant.name',
      type: 'text',
      value: 'Ada Lovelace',
      page: 0,
      rect: { x: 72, y: 640, width: 220, height: 20 },
      read_only: false,
      required: true,
      multiline: false,
      max_length: 40,
    },
    {
      name: 'agree',
      type: 'checkbox',
      value: false,
      page: 0,
      rect: { x: 72, y: 600, width: 14, height: 14 },
      read_only: false,
      required: false,
    },
  ],
  total: 2,
  xfa: false,
};

/** An example body of `POST /v1/pdf/forms/add-fields`. */
export const addExample = {
  pdf: sampleForm,
  fields: [
    { name: 'address.city', type: 'text', page: 0, x: 20, y: 6, width: 60, height: 14 },
    { name: 'newsletter', type: 'checkbox', page: 0, x: 84, y: 6, defaultValue: true },
    {
      name: 'country',
      type: 'dropdown',
      page: 0,
      x: 102,
      y: 6,
      width: 40,
      height: 14,
      options: ['Chile', 'Japan'],
      defaultValue: 'Japan',
    },
    { name: 'size', type: 'radio', option: 'S', page: 0, x: 146, y: 6 },
    { name: 'size', type: 'radio', option: 'L', page: 0, x: 164, y: 6, defaultValue: true },
  ],
  output: 'base64',
};

/** A response to a request with `output: "url"`. */
export const fileExample = {
  url: 'https://pdf.example.com/files/file_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
  file_size: 48_211,
  file_id: 'file_9aB8cD7eF6gH5iJ4kL3mN2oP',
  file_name: null,
  reference: null,
  metadata: {},
  expires_at: null,
  test: false,
};
