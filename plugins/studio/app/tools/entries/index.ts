// Written by `npm run openapi`.

import type { Tool, ToolEntry } from '../operation.ts';
import { accessible } from './accessible.tsx';
import { addFields } from './add-fields.tsx';
import { arrange } from './arrange.tsx';
import { attachments } from './attachments.tsx';
import { compare } from './compare.tsx';
import { compress } from './compress.tsx';
import { convert } from './convert.tsx';
import { fill } from './fill.ts';
import { flatten } from './flatten.ts';
import { images } from './images.tsx';
import { info } from './info.tsx';
import { invoice } from './invoice.tsx';
import { merge } from './merge.ts';
import { number } from './number.tsx';
import { outline } from './outline.tsx';
import { pdfa } from './pdfa.tsx';
import { pipeline } from './pipeline.tsx';
import { properties } from './properties.tsx';
import { protect } from './protect.tsx';
import { readInvoice } from './read-invoice.tsx';
import { sign } from './sign.tsx';
import { split } from './split.tsx';
import { stamp } from './stamp.tsx';
import { text } from './text.tsx';
import { timestamp } from './timestamp.ts';
import { unlock } from './unlock.tsx';
import { validate } from './validate.tsx';
import { verify } from './verify.tsx';
import { watermark } from './watermark.tsx';

/** All tools, in the order of their files. */
export const entries: readonly (Tool | ToolEntry)[] = [
  accessible,
  addFields,
  arrange,
  attachments,
  compare,
  compress,
  convert,
  fill,
  flatten,
  images,
  info,
  invoice,
  merge,
  number,
  outline,
  pdfa,
  pipeline,
  properties,
  protect,
  readInvoice,
  sign,
  split,
  stamp,
  text,
  timestamp,
  unlock,
  validate,
  verify,
  watermark,
];
