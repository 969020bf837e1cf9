import { isProse } from './syntax.ts';

/** The tags between which a model is asked to write. */
export const OPEN_TAG = '<insert>';
export const CLOSE_TAG = '</insert>';

export interface AnswerText {
  /** What belongs at the cursor, as far as it is known. */
  readonly text: string;
  /** Whether nothing that follows can add to the text. */
  readonly isComplete: boolean;
}

/** How a model answers. */
export interface SuggestionForm {
  /** Whether the answer is only the text at the cursor, so that nothing in it is an explanation. */
  readonly isFilledIn: boolean;
  /** The texts with which a model ends its answer if its server does not remove them. */
  readonly markers: readonly string[];
}

/**
 * The special tokens of code and chat models that end a text or separate its parts: of Qwen Coder, Codestral, StarCoder,
 * DeepSeek Coder, Code Llama, CodeGemma, Granite, and Llama.
 */
export const END_MARKERS: readonly string[] = [
  ...['endoftext', 'end_of_text', 'im_end', 'im_start', 'eot_id', 'eom_id', 'end', 'fim_pad', 'cursor'],
  ...['fim_prefix', 'fim_suffix', 'fim_middle', 'file_sep', 'file_separator', 'repo_name', 'reponame'],
]
  .map((name) => `<|${name}|>`)
  .concat(
    ['fim▁begin', 'fim▁hole', 'fim▁end', 'end▁of▁sentence', 'begin▁of▁sentence', 'EOT'].map((name) => `<｜${name}｜>`),
    ['<|EOT|>', '<EOT>', '▁<EOT>', '<PRE>', '<SUF>', '<MID>', '</s>', '<eos>', '<end_of_turn>', '[PREFIX]', '[SUFFIX]'],
    ['<fim_prefix>', '<fim_suffix>', '<fim_middle>', '<fim_pad>', '<file_sep>', '<endoftext>', '[MIDDLE]'],
  );

const NOTHING: AnswerText = { text: '', isComplete: false };
const FENCE = /^[ \t]*(`{3,}|~{3,})[^\n`]*\n/m;
/** Such as “Here is the code:”. */
const INTRODUCTION =
  /^(?:sure|certainly|of course|okay|ok|there |it |no |sorry|unfortunately|here(?:['’]s| is| are)|the |this |that |to |i |i['’]|you |we |let['’]?s |based on|looks like|note|explanation|completion:|answer:|\(|no completion|n\/a|\[)/i;
const WORDS = /(?:[\p{L}\p{N}'’,-]+[ .:!?]+){3,}/u;
const CODE = /[;{}=<>[\]]|\w\(/;

/**
 * Returns the code of an answer without what models add to it although they are asked not to: tags, fences, reasoning,
 * and explanations before or after the code.
 * @param hasEnded whether the answer has ended.
 */
export function codeIn(answer: string, languageId: string, hasEnded: boolean, form: SuggestionForm): AnswerText {
  const whole = answer.replaceAll('\r\n', '\n');
  const found = form.isFilledIn ? { text: whole, isComplete: hasEnded } : writtenIn(whole, languageId, hasEnded);
  const end = Math.min(...form.markers.map((marker) => found.text.indexOf(marker)).filter((at) => at !== -1));
  return Number.isFinite(end) ? { text: found.text.slice(0, end), isComplete: true } : found;
}

/** The code of an answer of a chat model. */
function writtenIn(answer: string, languageId: string, isFinal: boolean): AnswerText {
  const text = withoutThoughts(answer);
  if (text === undefined) return NOTHING;
  const tagged = betweenTags(text);
  if (tagged !== undefined) return inFence(tagged, isFinal) ?? tagged;
  const fenced = inFence({ text, isComplete: isFinal }, isFinal);
  if (fenced !== undefined) return fenced;
  if (mayBecome(text, OPEN_TAG) || mayBecome(text, '```'))
    return isFinal && !/^\s*[<`]/.test(text) ? { text, isComplete: true } : NOTHING;
  if (isProse(languageId)) return { text, isComplete: isFinal };
  return plain(text, isFinal);
}

/** Returns undefined while the answer still reasons. */
function withoutThoughts(answer: string): string | undefined {
  const open = /^\s*<(think|thinking)>/.exec(answer);
  if (open === null) return answer;
  const close = `</${open[1]}>`;
  const end = answer.indexOf(close);
  return end === -1 ? undefined : answer.slice(end + close.length).replace(/^\s*\n/, '');
}

function betweenTags(text: string): AnswerText | undefined {
  const start = text.indexOf(OPEN_TAG);
  if (start === -1) return undefined;
  const inside = text.slice(start + OPEN_TAG.length);
  const end = inside.indexOf(CLOSE_TAG);
  if (end !== -1) return { text: inside.slice(0, end), isComplete: true };
  return { text: withoutPartOf(inside, CLOSE_TAG), isComplete: false };
}

/** Removes the beginning of the tag from the text's end. */
function withoutPartOf(text: string, tag: string): string {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return text.slice(0, -length);
  }
  return text;
}

/** The contents of the first fenced block; undefined if there is none. */
function inFence({ text, isComplete }: AnswerText, isFinal: boolean): AnswerText | undefined {
  const open = FENCE.exec(text);
  if (open === null) {
    // The line of the fence has not ended yet.
    return /(?:^|\n)[ \t]*`{3,}[^\n`]*$/.test(text) && !isComplete ? NOTHING : undefined;
  }
  const inside = text.slice(open.index + open[0].length);
  const end = new RegExp(`^[ \\t]*${(open[1] ?? '```').replaceAll('`', '\\`')}[ \\t]*$`, 'm').exec(inside);
  if (end !== null) return { text: inside.slice(0, end.index).replace(/\n$/, ''), isComplete: true };
  return { text: withoutPartOf(inside, '\n```'), isComplete: isComplete && isFinal };
}

function mayBecome(text: string, mark: string): boolean {
  const start = text.trimStart();
  return start.length < mark.length && mark.startsWith(start);
}

/** An answer that is only code, or only explains. */
function plain(text: string, isFinal: boolean): AnswerText {
  const [first = ''] = text.trimStart().split('\n', 1);
  const hasWholeLine = isFinal || text.trimStart().includes('\n');
  if (isExplanation(first)) return NOTHING;
  if (!hasWholeLine && INTRODUCTION.test(first)) return NOTHING;
  const explanation = text.split('\n').findIndex((line, index) => index > 0 && isExplanation(line));
  if (explanation === -1) return { text, isComplete: isFinal };
  return { text: text.split('\n').slice(0, explanation).join('\n').trimEnd(), isComplete: true };
}

/** A line that talks about the code. */
function isExplanation(line: string): boolean {
  const text = line.trim();
  if (/^\(?(?:no completion|n\/a|nothing|none)\b.{0,40}$/i.test(text)) return true;
  return (
    INTRODUCTION.test(text) &&
    (WORDS.test(`${text} `) || /:$/.test(text)) &&
    !CODE.test(text.replaceAll(/`[^`]*`/g, ''))
  );
}
