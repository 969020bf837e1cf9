/**
 * Finds text that addresses the model instead of the reader. It is a hint for the user, not a filter: what a model
 * reads never allows anything, whether this finds it or not.
 */
const PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|your|system|the user'?s?)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules|messages|guidelines|request)\b/i,
  /\b(?:do not|don't|never|without)\b[^.,\n]{0,20}\b(?:mention|tell|telling|inform|informing|ask|asking|show|reveal|report)\b[^.\n]{0,30}\b(?:user|human|developer|person|owner|approval|permission)\b/i,
  /\b(?:AI|LLM|language model|assistant|agent|copilot|claude|gpt|model)s?\b[^.|\n]{0,40}\b(?:(?:must|should|shall)(?! not\b)|need to|are required to|have to|please)\b[^.|\n]{0,60}\b(?:run|execute|fetch|open|send|post|upload|delete|install|read|write|edit|create|call|use|include|print)\b/i,
  /\bbefore (?:you )?(?:continue|continuing|proceeding|answering|anything else)\b[^.\n]{0,60}\b(?:run|execute|fetch|open|send|install|read|call|delete|download)\b/i,
  /\b(?:new|updated|important|urgent|system|hidden|secret)\s+(?:instructions?|prompt|directive)s?\b\s*(?:for|to|:)/i,
  /<\/?(?:system|instructions?|tool_result|function_results?)>/i,
  /\[\/?(?:INST|SYSTEM)\]/,
  // At the beginning of a line, which tools put a number or a path before. In code, such a member is not followed by words.
  /(?:^|[\t:][\t ]{0,8})(?:system|developer)[\t ]{0,8}:[\t ]{1,8}[a-z][a-z'’]* [a-z'’]+ [a-z'’]+/im,
  /\byou are now\b[^.\n]{0,40}\b(?:mode|agent|assistant|admin|root|allowed|free|unrestricted|DAN)\b/i,
  // Comments in code say when, or what, somebody has allowed.
  /(?<!\b(?:what|whether|when|once|after|until|if|unless|that) (?:the )?)\b(?:the user|user|human|owner|developer|maintainer)\b[^.\n]{0,30}\b(?:has|have|already)\b[^.\n]{0,20}\b(?:approved|allowed|authori[sz]ed|granted|consented|agreed)\b/i,
];

/** The longest quote that is shown, in characters. */
const QUOTE_LENGTH = 240;
/** Longer texts are only searched at both ends. */
const SEARCHED_LENGTH = 200_000;

/** The sentence that addresses the model, or undefined. */
export function injectionIn(text: string): string | undefined {
  const searched =
    text.length <= SEARCHED_LENGTH
      ? text
      : `${text.slice(0, SEARCHED_LENGTH / 2)}\n${text.slice(-SEARCHED_LENGTH / 2)}`;
  for (const pattern of PATTERNS) {
    const found = pattern.exec(searched);
    if (found !== null) return sentenceAround(searched, found.index, found[0].length);
  }
  return undefined;
}

function sentenceAround(text: string, at: number, length: number): string {
  const before = Math.max(text.lastIndexOf('\n', at), text.lastIndexOf('. ', at) + 1);
  const ends = [text.indexOf('\n', at + length), text.indexOf('. ', at + length) + 1].filter((end) => end > 0);
  const sentence = text.slice(before + 1, Math.min(...ends, text.length)).trim();
  return sentence.length <= QUOTE_LENGTH ? sentence : `${sentence.slice(0, QUOTE_LENGTH - 1)}…`;
}
