/** The recommended fonts, by their Debian package. Characters that no font contains are printed as boxes. */
const FAMILIES = {
  'fonts-liberation': 'Liberation Sans',
  'fonts-noto-core': 'Noto Sans',
  'fonts-noto-cjk': 'Noto Sans CJK',
  'fonts-noto-color-emoji': 'Noto Color Emoji',
};

/**
 * Returns the names of the recommended fonts. @throws when fonts are missing, with the packages to install.
 */
export async function checkFonts(): Promise<string> {
  const list = Bun.spawn(['fc-list', ':', 'family'], { stdout: 'pipe', stderr: 'ignore' });
  const families = await new Response(list.stdout).text();
  const missing = Object.entries(FAMILIES).filter(([, family]) => !families.includes(family));
  if (missing.length > 0)
    throw new Error(`fonts are missing; install ${missing.map(([name]) => name).join(' ')}`);
  return Object.values(FAMILIES).join(', ');
}
