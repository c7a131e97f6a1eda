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
export async function createTools({
  services,
  sandbox,
}: {
  services: ToolServices;
  sandbox: Sandbox;
}): Promise<Tool[]> {
  const { files, render, templates, forms, 'pdf-tools': pdfTools } = services;
  const documents = documentsOf({ files, render });
  // The values of plugins that may be off are imported only when they are on.
  const rendering = render && { files, render, values: await import('../../render/exports.ts') };
  const keeping = templates && { templates, values: await import('../../templates/exports.ts') };
  return [
    ...(rendering ? [renderDocument(rendering)] : []),
    lookAtPages({ files, documents }),
    checkLayout({ files, documents, sandbox }),
    ...(keeping ? [listTemplates(keeping), getTemplate(keeping), saveTemplate(keeping)] : []),
    ...(pdfTools ? [describeOperation(pdfTools), runOperation(pdfTools)] : []),
    ...(forms ? [fillForm({ files, forms })] : []),
    ...(rendering ? [findDocuments(rendering)] : []),
  ];
}
