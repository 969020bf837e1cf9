import type { DiagramColours } from './frameProtocol.ts';

/** Series colors, in the order that all charts of the extension use. */
const SERIES = ['blue', 'purple', 'green', 'yellow', 'orange'];

/** Returns the editor's current colors for a diagram. */
export function diagramColours(): DiagramColours {
  const { classList } = document.body;
  const contrast = classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light');
  const colour = colourReader('var(--code-surface)');
  return {
    dark: classList.contains('vscode-dark') || classList.contains('vscode-high-contrast'),
    background: colour('var(--code-surface)'),
    text: colour('var(--text)'),
    line: contrast ? colour('var(--text)') : colour('color-mix(in srgb, var(--text) 60%, transparent)'),
    fill: contrast ? colour('var(--code-surface)') : colour('color-mix(in srgb, var(--link) 14%, transparent)'),
    border: contrast ? colour('var(--line)') : colour('color-mix(in srgb, var(--link) 55%, transparent)'),
    note: contrast ? colour('var(--code-surface)') : colour('color-mix(in srgb, var(--warning) 14%, transparent)'),
    accent: colour('color-mix(in srgb, var(--accent) 50%, transparent)'),
    series: SERIES.map((name) =>
      colour(`color-mix(in srgb, var(--vscode-charts-${name}, var(--link)) 45%, transparent)`),
    ),
  };
}

/** Returns a function that converts CSS colors to `#rrggbb`, as they appear on a surface. */
function colourReader(surface: string): (css: string) => string {
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
    for (const colour of [computed(surface), computed(css)]) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  };
}
