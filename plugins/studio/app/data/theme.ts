/** A colour theme; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'platen-theme';

/** Returns the chosen theme. */
function readTheme(): Theme {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** Applies and stores a theme. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
}

const system = matchMedia('(prefers-color-scheme: dark)');

/** Applies the stored theme, and follows the device when none is stored. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
}

system.addEventListener('change', applyTheme);

/** Tells whether the page is dark now. */
export function isDark(): boolean {
  const theme = readTheme();
  return theme === 'dark' || (theme === 'system' && system.matches);
}
