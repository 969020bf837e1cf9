import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { highlight } from './highlight.ts';

const loaded = signal<{ readonly highlight: typeof highlight } | undefined>(undefined);

/** Returns the highlighter, or undefined until it is loaded. */
export function useHighlight(): typeof highlight | undefined {
  useEffect(() => {
    if (loaded.peek() !== undefined) return;
    void import('./highlight.ts').then((module) => {
      loaded.value = module;
    });
  }, []);
  return loaded.value?.highlight;
}
