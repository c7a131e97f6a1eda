// Written by `npm run openapi`.

import type { Operation } from '../operation.ts';
import { accessible } from './accessible/route.ts';
import { attachments } from './attachments/route.ts';
import { compare } from './compare/route.ts';
import { compress } from './compress/route.ts';
import { flatten } from './flatten/route.ts';
import { images } from './images/route.ts';
import { info } from './info/route.ts';
import { invoice, readInvoice } from './invoice/route.ts';
import { merge } from './merge/route.ts';
import { number } from './number/route.ts';
import { outline } from './outline/route.ts';
import { pages } from './pages/route.ts';
import { pdfa } from './pdfa/route.ts';
import { properties } from './properties/route.ts';
import { protect } from './protect/route.ts';
import { sign } from './sign/route.ts';
import { split } from './split/route.ts';
import { text } from './text/route.ts';
import { timestamp } from './timestamp/route.ts';
import { unlock } from './unlock/route.ts';
import { validate } from './validate/route.ts';
import { verify } from './verify/route.ts';
import { watermark, stamp } from './watermark/route.ts';

/** All operations, in the order of their folders. */
export const operations: readonly Operation[] = [
  accessible,
  attachments,
  compare,
  compress,
  flatten,
  images,
  info,
  invoice,
  readInvoice,
  merge,
  number,
  outline,
  pages,
  pdfa,
  properties,
  protect,
  sign,
  split,
  text,
  timestamp,
  unlock,
  validate,
  verify,
  watermark,
  stamp,
];
