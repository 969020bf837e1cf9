/** Suggestions of text at a cursor, prepared for the files of the sample folder. */
import type { ChatRequest } from '../formats/conversation.ts';
import { sampleLine } from './sampleLines.ts';

/** The form of the editor's requests for inline suggestions. */
const FILE = /^File: (\S+) \([^)\n]*\)$/m;
const BEFORE = /<before>([\s\S]*)<\/before>/;
const AFTER = /<after>([\s\S]*?)<\/after>/;

/** What a person may write next in each file, the most likely first. */
const PREPARED: Readonly<Record<string, readonly string[]>> = {
  'src/quote.ts': [
    `export function cheapestZone(parcel: Parcel): Zone {
  const zones: Zone[] = ['local', 'national', 'abroad'];
  return zones.reduce((best, zone) => (quote(parcel, zone) < quote(parcel, best) ? zone : best));
}`,
    `export function formatQuote(parcel: Parcel, zone: Zone): string {
  return \`\${quote(parcel, zone).toFixed(2)} €\`;
}`,
    'const EXPRESS_SURCHARGE = 4.5;',
  ],
  'src/parcel.ts': [
    `export function isOversize({ length, width, height }: Parcel): boolean {
  return Math.max(length, width, height) > 120;
}`,
    `export function girth({ length, width, height }: Parcel): number {
  const [longest = 0, second = 0, third = 0] = [length, width, height].sort((a, b) => b - a);
  return longest + 2 * (second + third);
}`,
  ],
  'src/session.ts': [
    `  remove(id: string, parcel: Parcel): readonly Parcel[] {
    const session = this.#touch(id);
    const at = session.basket.indexOf(parcel);
    if (at !== -1) session.basket.splice(at, 1);
    return session.basket;
  }`,
    `  clear(id: string): void {
    this.#sessions.delete(id);
  }`,
  ],
  'test/quote.test.ts': [
    `test('a fragile parcel costs a surcharge', () => {
  assert.equal(quote({ ...BOOK, fragile: true }, 'local'), 6);
});`,
  ],
};

/** The shortest beginning of a prepared text that is recognized in the middle of a line. */
const SHORTEST = 3;

/**
 * Returns the answer to a request for an inline suggestion: the rest of a prepared text of which the text before the
 * cursor ends with the beginning, or nothing to insert. Undefined for other requests.
 */
export function suggestInline({ system, messages }: ChatRequest): string | undefined {
  if (!system.some(({ text }) => text.includes('<insert>'))) return undefined;
  const parts = messages.findLast(({ role }) => role === 'user')?.parts ?? [];
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const [path, before, after] = [FILE, BEFORE, AFTER].map((pattern) => pattern.exec(text)?.[1]);
  if (path === undefined || before === undefined) return undefined;
  const name = Object.keys(PREPARED).find((each) => path === each || path.endsWith(`/${each}`));
  const rests = (PREPARED[name ?? ''] ?? [])
    .filter((prepared) => !before.includes(prepared) && !(after ?? '').includes(prepared))
    .map((prepared) => restOf(prepared, before));
  const found = rests.find((rest) => rest !== undefined) ?? sampleLine(path, before, after ?? '');
  return `<insert>${found ?? ''}</insert>`;
}

/** The part of a text that is not written yet; undefined if the text before the cursor does not lead to it. */
function restOf(text: string, before: string): string | undefined {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const start = text.trimStart();
  const written = line.trimStart();
  if (written !== '' && start.startsWith(written) && start !== written) return start.slice(written.length);
  for (let length = start.length - 1; length >= SHORTEST; length -= 1) {
    if (before.endsWith(start.slice(0, length))) return start.slice(length);
  }
  return line.trim() === '' && /[;}\n]\s*$/.test(before) ? start : undefined;
}
