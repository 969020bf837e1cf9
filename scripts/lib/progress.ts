const REMINDER_MS = 10_000;

/** Says what is being done before it is done, that it is still going on every ten seconds, and how long it took. */
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
