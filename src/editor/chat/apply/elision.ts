/** Recognizes placeholders for omitted lines, such as `// ... existing code ...`. */

const COMMENT = /^(?:\/\/|#|--|;|\/\*|<!--|\{\/\*|%|')\s*(.*?)\s*(?:\*\/|-->|\*\/\})?$/;

const WORDS =
  /\b(?:existing|unchanged|rest of|remaining|remains?|same as before|as before|other|previous|omitted|keep)\b/i;

/** Without dots, only phrases with no further content count. */
const PHRASE =
  /^(?:the )?(?:existing code|rest of (?:the |your )?(?:file|code|function|class|method|component)|unchanged)(?: (?:remains|stays|is) (?:the same|unchanged|as is))?\.?$/i;

/** Returns whether a line is a placeholder for omitted lines. Three dots alone are valid code in some languages. */
export function isElision(line: string): boolean {
  const text = line.trim();
  const comment = COMMENT.exec(text)?.[1];
  if (comment === undefined) return /^(?:…|\[(?:\.\.\.|…)\])$/.test(text);
  if (PHRASE.test(comment)) return true;
  const dots = /\.\.\.|…/.exec(comment);
  if (dots === null) return false;
  const rest = comment.replace(/\.\.\.|…/g, '').trim();
  return rest === '' || WORDS.test(rest);
}
