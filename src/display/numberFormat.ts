/**
 * Formats numbers as `Intl` does in English. The formatter is created on first use: the first one in a process loads
 * tables for tens of milliseconds, and a gateway may start without ever formatting a number.
 */
export function numberFormat(options?: Intl.NumberFormatOptions): (value: number) => string {
  let format: Intl.NumberFormat | undefined;
  return (value) => {
    format ??= new Intl.NumberFormat('en-US', options);
    return format.format(value);
  };
}
