/** The fonts of the set-up, by the Debian package that brings them. Text in a script that no font has is printed blank. */
const FAMILIES = {
  'fonts-liberation': 'Liberation Sans',
  'fonts-noto-core': 'Noto Sans',
  'fonts-noto-cjk': 'Noto Sans CJK',
  'fonts-noto-color-emoji': 'Noto Color Emoji',
};

/** Resolves with what is there when all fonts are; rejects with the packages that are missing. */
export async function checkFonts(): Promise<string> {
  const list = Bun.spawn(['fc-list', ':', 'family'], { stdout: 'pipe', stderr: 'ignore' });
  const families = await new Response(list.stdout).text();
  const missing = Object.entries(FAMILIES).filter(([, family]) => !families.includes(family));
  if (missing.length > 0) throw new Error(`missing, install ${missing.map(([name]) => name).join(' ')}`);
  return Object.values(FAMILIES).join(', ');
}
