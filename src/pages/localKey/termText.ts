/** Parses the terms of a local key as a user types them. */

/** Returns the midnight that ends the day, in the machine's time zone. */
export function endOfDay(text: string): number | undefined {
  const [, year, month, day] = /^\s*(\d{4})-(\d\d?)-(\d\d?)\s*$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1 || date.getDate() !== day) return undefined;
  return new Date(year, month - 1, day + 1).getTime();
}

/** Splits a list of names and patterns at commas. */
export function namesIn(text: string): string[] {
  return text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}
