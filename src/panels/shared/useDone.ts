import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 1500;

/** Feedback on a button: true for a moment after each call of the function. */
export function useDone(): readonly [boolean, () => void] {
  const [times, setTimes] = useState(0);
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (times === 0) return;
    setDone(true);
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [times]);
  return [done, () => setTimes((count) => count + 1)];
}
