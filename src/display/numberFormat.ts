/**
 * Writes numbers as `Intl` does in English. The format is made with its first use: the first of a process loads tables
 * for tens of milliseconds, which a gateway that starts would spend on words that it may never say.
 */
export function numberFormat(options?: Intl.NumberFormatOptions): (value: number) => string {
  let format: Intl.NumberFormat | undefined;
  return (value) => {
    format ??= new Intl.NumberFormat('en-US', options);
    return format.format(value);
  };
}
