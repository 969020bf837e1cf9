/** What stands in code for lines that were left out of it, such as `// ... existing code ...`. */

const COMMENT = /^(?:\/\/|#|--|;|\/\*|<!--|\{\/\*|%|')\s*(.*?)\s*(?:\*\/|-->|\*\/\})?$/;

const WORDS =
  /\b(?:existing|unchanged|rest of|remaining|remains?|same as before|as before|other|previous|omitted|keep)\b/i;

/** Without dots only phrases that say no more than this. */
const PHRASE =
  /^(?:the )?(?:existing code|rest of (?:the |your )?(?:file|code|function|class|method|component)|unchanged)(?: (?:remains|stays|is) (?:the same|unchanged|as is))?\.?$/i;

/** Whether a line says that lines are left out here. Three dots alone are code in some languages. */
export function isElision(line: string): boolean {
  const text = line.trim();
  const said = COMMENT.exec(text)?.[1];
  if (said === undefined) return /^(?:…|\[(?:\.\.\.|…)\])$/.test(text);
  if (PHRASE.test(said)) return true;
  const dots = /\.\.\.|…/.exec(said);
  if (dots === null) return false;
  const rest = said.replace(/\.\.\.|…/g, '').trim();
  return rest === '' || WORDS.test(rest);
}
