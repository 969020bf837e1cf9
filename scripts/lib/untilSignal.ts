const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Returns an `AbortSignal` that is aborted by the first Ctrl+C or SIGTERM. Later ones are ignored, so that cleaning up
 * is not interrupted.
 */
export function untilSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) process.on(name, () => controller.abort());
  return controller.signal;
}

/** Waits for the signal. Resolves immediately if it is already aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
