/** A colour theme. */
export type Theme = 'light' | 'dark';

const KEY = 'platen-theme';

/** Returns the theme that the person has chosen, if any. */
function readTheme(): Theme | undefined {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : undefined;
}

/** Stores and applies a theme. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme();
}

const system = matchMedia('(prefers-color-scheme: dark)');

/** Applies the stored theme or, if no theme is stored, that of the device. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
}

system.addEventListener('change', applyTheme);

/** Tells whether the dark theme applies. */
export function isDark(): boolean {
  const theme = readTheme();
  return theme === 'dark' || (theme === undefined && system.matches);
}
