/** Terms of a local key as a person types them. */

/** NaN for what is none. */
export function numberIn(text: string): number {
  const digits = text.trim().replace(/^\$/, '').replaceAll(/[,_ ]/g, '');
  return digits === '' ? Number.NaN : Number(digits);
}

/** The midnight with which the day ends, in the machine's time zone. */
export function endOfDay(text: string): number | undefined {
  const [, year, month, day] = /^\s*(\d{4})-(\d\d?)-(\d\d?)\s*$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1 || date.getDate() !== day) return undefined;
  return new Date(year, month - 1, day + 1).getTime();
}

/** Names and patterns, separated by commas. */
export function namesIn(text: string): string[] {
  return text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}
