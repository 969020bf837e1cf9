/** Syntax highlighting by highlight.js with the most common languages. Loaded with the first code block. */
import type { LanguageFn } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const LANGUAGES: Readonly<Record<string, LanguageFn>> = {
  bash,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  json,
  markdown,
  php,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
// TypeScript's grammar also covers JavaScript, and the grammar of C++ covers C.
hljs.registerAliases(['javascript', 'js', 'jsx', 'mjs', 'cjs'], { languageName: 'typescript' });
hljs.registerAliases(['c', 'h'], { languageName: 'cpp' });

/** Longer code is not highlighted, because it would take noticeable time. In characters. */
const MAX_LENGTH = 30_000;

/** The patterns of some languages read a long line once for each of its characters. */
const LONG_LINE = /[^\n]{500}/;

/**
 * Length of the first part that is tried, in characters, and the maximum expected duration of the next part, in
 * milliseconds.
 */
const FIRST_PART = 500;
const MAX_MS = 120;

/**
 * Whether highlighting would take noticeable time. Some languages read text that is not code, such as one word per
 * line, again and again. Increasingly long beginnings are tried to detect this early, because twice the length should
 * take about twice the time.
 */
function growsTooFast(code: string, color: (part: string) => void, now: () => number): boolean {
  let before: number | undefined;
  for (let length = FIRST_PART; length < code.length; length *= 2) {
    const start = now();
    color(code.slice(0, length));
    const elapsed = now() - start;
    const growth = before === undefined || before <= 0 ? 2 : Math.max(2, elapsed / before);
    if (elapsed * growth > MAX_MS) return true;
    before = elapsed;
  }
  return false;
}

/** Words that the editor's themes color as control flow. highlight.js has one class for all keywords. */
const CONTROL =
  /<span class="hljs-(?:keyword|title function_)">(as|async|await|break|case|catch|continue|default|do|elif|else|except|export|finally|for|from|if|import|in|match|of|pass|raise|return|switch|throw|try|while|with|yield)<\/span>/g;

/**
 * @returns HTML that contains only the escaped code and spans with classes; undefined if the language is unknown, or if
 * the code or one of its lines is too long.
 */
export function highlight(code: string, language: string, now = () => performance.now()): string | undefined {
  if (code.length > MAX_LENGTH || LONG_LINE.test(code) || hljs.getLanguage(language) === undefined) return undefined;
  const color = (part: string) => hljs.highlight(part, { language, ignoreIllegals: true }).value;
  if (growsTooFast(code, color, now)) return undefined;
  const value = color(code);
  return value.replace(CONTROL, '<span class="hljs-keyword control">$1</span>');
}
