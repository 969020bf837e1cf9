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
// TypeScript's grammar reads JavaScript as well, and that of C++ reads C.
hljs.registerAliases(['javascript', 'js', 'jsx', 'mjs', 'cjs'], { languageName: 'typescript' });
hljs.registerAliases(['c', 'h'], { languageName: 'cpp' });

/** Characters above which code is not highlighted, because it would take noticeable time. */
const MOST = 60_000;

/** Words that the editor's themes colour as control flow; highlight.js has one class for all keywords. */
const CONTROL =
  /<span class="hljs-(?:keyword|title function_)">(as|async|await|break|case|catch|continue|default|do|elif|else|except|export|finally|for|from|if|import|in|match|of|pass|raise|return|switch|throw|try|while|with|yield)<\/span>/g;

/**
 * @returns HTML that holds nothing but the escaped code and spans with classes, or undefined when the language is not
 * known or the code is too long.
 */
export function highlight(code: string, language: string): string | undefined {
  if (code.length > MOST || hljs.getLanguage(language) === undefined) return undefined;
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  return value.replace(CONTROL, '<span class="hljs-keyword control">$1</span>');
}
