import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';

export const CONTAINERFILE = readFileSync(join(ROOT, 'Containerfile'), 'utf8');

/** Each instruction on one line. */
const LINES = CONTAINERFILE.replace(/\\\n\s*/g, '').split('\n');
const FINAL = LINES.slice(LINES.findLastIndex((line) => line.startsWith('FROM ')));

/** What follows an instruction of the final image, such as `USER`, the last time that it stands there. */
export function instruction(name: string): string | undefined {
  return FINAL.findLast((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
}

/** A program with its arguments, in the exec form: without a shell, which the image does not have. */
export function execForm(text: string | undefined): readonly string[] {
  return JSON.parse(text?.slice(text.indexOf('[')) ?? '') as string[];
}
