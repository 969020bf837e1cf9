const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Hands out an `AbortSignal` that fires at the first Ctrl+C or SIGTERM. Later ones are ignored, so that clearing up is
 * not broken off half way.
 */
export function untilSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) process.on(name, () => controller.abort());
  return controller.signal;
}

/** Waits for the signal; resolves at once when it has already fired. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
