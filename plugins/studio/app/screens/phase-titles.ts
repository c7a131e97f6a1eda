/** The titles of the phases in a receipt. */
export const PHASE_TITLES: Record<string, string> = {
  queue: 'Waiting for a browser',
  template: 'Filling in the template',
  start: 'Opening the browser page',
  react: 'Rendering React',
  header: 'Header and footer',
  load: 'Loading resources',
  wait: 'Waiting for the document',
  print: 'Printing',
  assemble: 'Assembling the PDF',
  archive: 'Converting to PDF/A',
  tag: 'Making the PDF accessible',
  store: 'Storing',
};
