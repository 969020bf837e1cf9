/** The most days that a chart with excluded days may have. Each takes Mermaid 20 µs, in which the panel may stand still. */
const MAX_DAYS = 5000;

const DURATION = /\b(\d+(?:\.\d+)?)(ms|[smhdwMy])\b/g;

const DAYS: Readonly<Record<string, number>> = {
  ...{ ms: 1 / 86_400_000, s: 1 / 86_400, m: 1 / 1440, h: 1 / 24, d: 1, w: 7, M: 31, y: 366 },
};

/**
 * Whether Mermaid would take long for a Gantt chart: for each task, it visits every day of its duration to find those that
 * are excluded.
 */
export function isLongGantt(source: string): boolean {
  if (!/\bgantt\b/i.test(source) || !/\bexcludes\s/i.test(source)) return false;
  let days = 0;
  for (const [, amount, unit = ''] of source.matchAll(DURATION)) days += Number(amount) * (DAYS[unit] ?? 0);
  return days > MAX_DAYS;
}
