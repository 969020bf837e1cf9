export const THEMES = ['dark', 'light', 'hc', 'hc-light'] as const;
export type Theme = (typeof THEMES)[number];

/** The classes that the editor sets on the body of a webview. */
const CLASSES: Readonly<Record<Theme, readonly string[]>> = {
  dark: ['vscode-dark'],
  light: ['vscode-light'],
  hc: ['vscode-high-contrast'],
  'hc-light': ['vscode-high-contrast-light', 'vscode-high-contrast'],
};

export function isTheme(name: string): name is Theme {
  return (THEMES as readonly string[]).includes(name);
}

/** Applies a theme, as the editor does when the user changes the theme while the panel is open. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  document.body.classList.remove(...Object.values(CLASSES).flat());
  document.body.classList.add(...CLASSES[theme]);
}
