import { toText } from './arguments.ts';
import type { TemplateHelper } from './definition.ts';

/** The helper of templates with translations. */
export const translationHelper: TemplateHelper = {
  name: 't',
  signature: 'name value=',
  description:
    'Returns a message of the `translations` of the template in the language of the document. The options are the values of its arguments.',
  examples: [],
  argumentCount: [1, 1],
  anyOptions: true,
  run([value], call) {
    const name = toText(value);
    return call.language?.translate(name, call) ?? name;
  },
};
