const REMINDER_MS = 10_000;

/** Prints the name of a step when it starts, every ten seconds while it runs, and its duration at the end. */
export async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  console.log(`${what} …`);
  const reminder = setInterval(() => console.log(`  still at it after ${seconds()}`), REMINDER_MS);
  try {
    const result = await work();
    console.log(`  done in ${seconds()}`);
    return result;
  } finally {
    clearInterval(reminder);
  }
}
