/**
 * Reads a number as people type it, such as `$1,000`, `2_000`, or `1,50`. Returns NaN if the text is not a number.
 */
export function numberIn(text: string): number {
  const digits = withDecimalPoint(text.trim().replace(/^\$/, ''));
  return digits === '' ? Number.NaN : Number(digits);
}

/**
 * Returns digits with a decimal point and without separators. If the text has commas and points, the last one is the
 * decimal separator and the others group thousands. A comma alone groups if exactly three digits follow each, as in
 * `1,234`; a point alone is always decimal.
 */
export function withDecimalPoint(digits: string): string {
  const plain = digits.replaceAll(/[_' ]/g, '');
  const commaIsDecimal =
    plain.lastIndexOf(',') > plain.lastIndexOf('.') && (plain.includes('.') || !/^\d{1,3}(?:,\d{3})+$/.test(plain));
  return commaIsDecimal ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', '');
}
