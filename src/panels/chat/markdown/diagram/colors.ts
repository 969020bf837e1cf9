import type { DiagramColors } from './frameProtocol.ts';

/** Series colors, in the order that all charts of the extension use. */
const SERIES = ['blue', 'purple', 'green', 'yellow', 'orange'];

/** Returns the editor's current colors for a diagram. */
export function diagramColors(): DiagramColors {
  const { classList } = document.body;
  const contrast = classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light');
  const color = colorReader('var(--code-surface)');
  return {
    dark: classList.contains('vscode-dark') || classList.contains('vscode-high-contrast'),
    background: color('var(--code-surface)'),
    text: color('var(--text)'),
    line: contrast ? color('var(--text)') : color('color-mix(in srgb, var(--text) 60%, transparent)'),
    fill: contrast ? color('var(--code-surface)') : color('color-mix(in srgb, var(--link) 14%, transparent)'),
    border: contrast ? color('var(--line)') : color('color-mix(in srgb, var(--link) 55%, transparent)'),
    note: contrast ? color('var(--code-surface)') : color('color-mix(in srgb, var(--warning) 14%, transparent)'),
    accent: color('color-mix(in srgb, var(--accent) 50%, transparent)'),
    series: SERIES.map((name) =>
      color(`color-mix(in srgb, var(--vscode-charts-${name}, var(--link)) 45%, transparent)`),
    ),
  };
}

/** Returns a function that converts CSS colors to `#rrggbb`, as they appear on a surface. */
function colorReader(surface: string): (css: string) => string {
  const probe = document.createElement('span');
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const computed = (css: string) => {
    probe.style.color = css;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  return (css) => {
    if (canvas === null) return '#808080';
    for (const color of [computed(surface), computed(css)]) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  };
}
