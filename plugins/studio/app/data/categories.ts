/** The categories of templates. */
export const CATEGORIES = ['invoice', 'receipt', 'report', 'certificate', 'letter', 'resume', 'other'];
