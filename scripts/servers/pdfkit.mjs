import { installPythonPackages } from './python-packages.mjs';

/**
 * Installs pdfkit, which runs wkhtmltopdf, in the place of which the tests put `bin/wkhtmltopdf`.
 * @returns {string} the path of a Python interpreter that can import it
 * @throws {import('./maven.mjs').ServerMissingError} when it cannot be installed
 */
export function installPdfKit() {
  return installPythonPackages({ name: 'pdfkit', packages: ['pdfkit==1.0.0'] });
}
