import { fieldGroup, Timestamp, Type } from '../../src/plugin.ts';

/** The fields of every response that names a template. */
export const templateIdentity = fieldGroup('TemplateIdentity', {
  id: Type.String(),
  name: Type.String(),
  version: Type.Integer({ description: 'Starts at 1 and increases with each change of `html_content`.' }),
  created_at: Timestamp,
});
