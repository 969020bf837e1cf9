import { late } from './late.ts';

const highlighter = late(async () => (await import('./highlight.ts')).highlight);

/** Returns the highlighter, or undefined until it is loaded. */
export const useHighlight = () => highlighter.current;
