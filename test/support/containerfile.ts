import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';

export const CONTAINERFILE = readFileSync(join(ROOT, 'Containerfile'), 'utf8');

/** Each instruction on one line. */
const LINES = CONTAINERFILE.replace(/\\\n\s*/g, '').split('\n');
const FINAL = LINES.slice(LINES.findLastIndex((line) => line.startsWith('FROM ')));

/** Returns the argument of the last instruction with this name in the final image, such as `USER`. */
export function instruction(name: string): string | undefined {
  return FINAL.findLast((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
}

/** Parses a program with its arguments in exec form, which needs no shell, because the image has none. */
export function execForm(text: string | undefined): readonly string[] {
  return JSON.parse(text?.slice(text.indexOf('[')) ?? '') as string[];
}
