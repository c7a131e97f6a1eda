import { DOCUMENT_MEDIA_TYPES } from '../../src/plugin.ts';

const { docx, xlsx, pptx } = DOCUMENT_MEDIA_TYPES;

/** The media types of the office files that can be templates, by their format. */
export const OFFICE_MEDIA_TYPES = { docx, xlsx, pptx };
