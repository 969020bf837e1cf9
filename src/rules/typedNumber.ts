/** Reads a number as people type it, such as `$1,000` or `2_000`. Returns NaN if the text is not a number. */
export function numberIn(text: string): number {
  const digits = text.trim().replace(/^\$/, '').replaceAll(/[,_ ]/g, '');
  return digits === '' ? Number.NaN : Number(digits);
}
