/** Mermaid takes about a tenth of a second for a diagram of this size, in which the panel is blocked. */
const MAX_UNITS = 80;
/** An ampersand joins its line's nodes with all others of the line. */
const UNITS_OF_AMPERSAND = 5;

/** Whether a diagram is only drawn on request: it has some forty lines with an arrow each, or as much in fewer lines. */
export function isLargeDiagram(source: string): boolean {
  let units = 0;
  for (const [found] of source.matchAll(/[\n;&]|-->|--|==|-\.|->/g)) {
    units += found === '&' ? UNITS_OF_AMPERSAND : 1;
    if (units > MAX_UNITS) return true;
  }
  return false;
}
