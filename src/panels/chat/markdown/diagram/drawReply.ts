import type { DrawReply } from './frameProtocol.ts';

export type Drawing = Exclude<DrawReply, { readonly problem: string }>;

/** The longest text of a diagram, and the most texts, that a screen reader gets. */
const MAX_WORD = 200;
const MAX_WORDS = 200;
/** The longest drawing in characters, and the largest one in CSS pixels. Mermaid stays far below both. */
const MAX_SVG = 10_000_000;
const MAX_SIZE = 100_000;

/**
 * Reads the frame's reply to a request. A diagram may have taken the frame over, so only what an image needs is kept.
 * @returns undefined for anything else.
 */
export function drawReplyOf(data: unknown, wantedId: number): DrawReply | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { id, problem, svg, width, height, words } = data as Record<string, unknown>;
  if (id !== wantedId) return undefined;
  if (typeof problem === 'string') return { id: wantedId, problem };
  if (typeof svg !== 'string' || svg.length > MAX_SVG || !isSize(width) || !isSize(height)) return undefined;
  return { id: wantedId, svg, width, height, words: wordsOf(words) };
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_SIZE;
}

function wordsOf(words: unknown): readonly string[] {
  if (!Array.isArray(words)) return [];
  return words.slice(0, MAX_WORDS).flatMap((word) => (typeof word === 'string' ? [word.slice(0, MAX_WORD)] : []));
}
