// PDFBox, which changes signed PDFs in the tests, installed by Maven.
import { installFromMaven } from './maven.mjs';

/**
 * Installs PDFBox if it is missing.
 * @returns {string} the folder that contains the jars
 * @throws {import('./maven.mjs').ServerMissingError} when it cannot be installed
 */
export function installPdfBox() {
  return installFromMaven({ groupId: 'org.apache.pdfbox', artifactId: 'pdfbox', version: '3.0.3' }, 'pdfbox');
}
