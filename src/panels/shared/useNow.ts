import { useEffect, useState } from 'preact/hooks';

/** The time in milliseconds since the epoch, read again every second while `running`. */
export function useNow(now: () => number, running: boolean): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (!running) return;
    setTime(now());
    const timer = setInterval(() => setTime(now()), 1000);
    return () => clearInterval(timer);
  }, [now, running]);
  return time;
}
