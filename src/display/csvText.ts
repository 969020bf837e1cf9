/**
 * Where a spreadsheet could begin to read a formula: at the start of a cell, and after a character that separates cells
 * or lines in some language or import dialog. Some languages also read the wide forms of the signs.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/**
 * Returns a text as a cell of a CSV file, as defined in RFC 4180. The names of models and clients are chosen by others,
 * and must not become formulas.
 */
export function csvText(text: string): string {
  const safe = text.replaceAll(FORMULA, "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
