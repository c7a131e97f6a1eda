import { Type } from '../../src/plugin.ts';

export const AccessibleOption = Type.Union([Type.Boolean(), Type.Literal('report')], {
  expected: 'true, false or "report"',
  description:
    'true: make the PDF accessible (PDF/UA-1) and validate it. A document with faults that only its author can correct, such as a picture without a text alternative, gets a 400, whose `details` have the CSS path of each element. "report": the same, but the faults are a list in the receipt, and the PDF claims PDF/UA-1 only if the list is empty. The default is false.',
});
