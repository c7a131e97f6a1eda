/** The properties in the response to a request that sets none. */
export const noProperties = { file_name: null, reference: null, metadata: {}, expires_at: null, test: false };

/** Lists the fields of the response of a PDF operation, in alphabetical order. */
export const resultKeys = (content: 'url' | 'data') =>
  [content, 'file_id', 'file_size', ...Object.keys(noProperties)].toSorted();
