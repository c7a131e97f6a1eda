import { fieldGroup, Timestamp, Type } from '../../src/plugin.ts';

/** The fields of every response that names a template. */
export const templateIdentity = fieldGroup('TemplateIdentity', {
  id: Type.String(),
  name: Type.String(),
  version: Type.Integer({ description: 'Starts at 1 and increases with each change of `html_content`.' }),
  created_at: Timestamp,
});

/** The format of a template. */
export const TemplateFormat = Type.Union(
  [Type.Literal('html'), Type.Literal('docx'), Type.Literal('xlsx'), Type.Literal('pptx')],
  { title: 'TemplateFormat', description: 'HTML, or the type of the file. Absent means HTML.' },
);
