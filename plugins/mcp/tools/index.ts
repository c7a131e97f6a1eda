import type { Sandbox } from '../../../src/plugin.ts';
import type { FilesService } from '../../files/contract.ts';
import type { FormsService } from '../../forms/contract.ts';
import type { PdfToolsService } from '../../pdf-tools/contract.ts';
import type { RenderService } from '../../render/contract.ts';
import type { TemplatesService } from '../../templates/contract.ts';
import type { Tool } from '../tool.ts';
import { checkLayout } from './check-layout.ts';
import { documentsOf } from './documents.ts';
import { fillForm } from './fill-form.ts';
import { findDocuments } from './find-documents.ts';
import { lookAtPages } from './look-at-pages.ts';
import { describeOperation, runOperation } from './operations.ts';
import { renderDocument } from './render-document.ts';
import { getTemplate, listTemplates } from './read-templates.ts';
import { saveTemplate } from './save-template.ts';

/** The services that tools use. A tool exists if its services are on. */
export interface ToolServices {
  files: FilesService;
  render: RenderService | undefined;
  templates: TemplatesService | undefined;
  'pdf-tools': PdfToolsService | undefined;
  forms: FormsService | undefined;
}

/** Creates the tools, in the order in which clients list them. */
export function createTools({ services, sandbox }: { services: ToolServices; sandbox: Sandbox }): Tool[] {
  const { files, render, templates, forms, 'pdf-tools': pdfTools } = services;
  const documents = documentsOf({ files, render });
  return [
    ...(render ? [renderDocument({ files, render })] : []),
    lookAtPages({ files, documents }),
    checkLayout({ files, documents, sandbox }),
    ...(templates ? [listTemplates(templates), getTemplate(templates), saveTemplate(templates)] : []),
    ...(pdfTools ? [describeOperation(pdfTools), runOperation(pdfTools)] : []),
    ...(forms ? [fillForm({ files, forms })] : []),
    ...(render ? [findDocuments(render)] : []),
  ];
}
