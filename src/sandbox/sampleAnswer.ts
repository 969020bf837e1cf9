/** Prepared answers about the sample file, so that the chat can be judged without a key. */
import type { ChatRequest, Message } from '../formats/conversation.ts';
import { isSampleCode } from '../rules/sampleCode.ts';
import { type AttachedCode, attachedTo } from './attachedCode.ts';
import { languageOf, readSampleQuestion } from './sampleQuestions.ts';
import { type SampleFile, sampleTexts } from './sampleTexts.ts';

/** Replacements in the sample file, far enough apart to be two changes. */
const IMPROVEMENT = [
  {
    old_text: 'const FRAGILE_SURCHARGE = 2.5;\n',
    new_text:
      'const FRAGILE_SURCHARGE = 2.5;\n/** From this number of parcels on, a basket costs less. */\nconst DISCOUNT_FROM = 5;\nconst DISCOUNT = 0.1;\n',
  },
  {
    old_text: '  return parcels.length >= 5 ? Math.round(sum * 90) / 100 : sum;\n',
    new_text:
      '  const price = parcels.length >= DISCOUNT_FROM ? sum * (1 - DISCOUNT) : sum;\n  return Math.round(price * 100) / 100;\n',
  },
] as const;

const FIRST_LINE = "import { chargeableWeight, type Parcel } from './parcel.ts';";

/** Found in the file after the improvement. */
const IMPROVED = 'DISCOUNT_FROM';

/** Found in the file after the agent's task, which fixes the other bug that the explanation names. */
export const WEIGHT_CHECKED = 'ParcelError';

/** Returns undefined if the sample file is not attached to a question of the conversation. */
export function answerAboutSample(
  request: ChatRequest,
  question: string,
): { readonly text: string; readonly isPrepared: boolean } | undefined {
  const files = [...request.messages.flatMap(shownByEditor), ...request.messages.flatMap(attachedTo)];
  const file = files.findLast(({ kind, text }) => kind === 'File' && isSample(text));
  if (file === undefined) return undefined;
  const asked = readSampleQuestion(question);
  if (asked === undefined) return { text: sampleTexts[languageOf(question)].free, isPrepared: false };
  const { note, [asked.id]: write } = sampleTexts[asked.language];
  return { text: `${write(describe(file))}\n\n${note}`, isPrepared: true };
}

/** The sample file as the editor's own chat attaches it: whole, within a text with other context. */
function shownByEditor({ role, parts }: Message): AttachedCode[] {
  if (role !== 'user') return [];
  return parts.flatMap((part) => {
    const from = part.type === 'text' && /<attachment\b/.test(part.text) ? part.text.indexOf(FIRST_LINE) : -1;
    if (part.type !== 'text' || from === -1) return [];
    const text = part.text.slice(from).split(/\n(?:`{3,}|<\/attachment>)/, 1)[0] ?? '';
    return [{ kind: 'File', path: 'src/quote.ts', language: 'typescript', text }];
  });
}

/** The answers also describe the sum, so it must be as it was before or after the improvement. */
function isSample(text: string): boolean {
  return isSampleCode(text) && (text.includes(IMPROVED) || improve(text) !== text);
}

function improve(text: string): string {
  return IMPROVEMENT.reduce((code, { old_text, new_text }) => code.replace(old_text, new_text), text);
}

function describe({ path, language, text }: AttachedCode): SampleFile {
  const lines = text.split('\n');
  const place = (mark: string) => `${path}:${lines.findIndex((line) => line.includes(mark)) + 1}`;
  return {
    path,
    quote: place('function quote('),
    quoteAll: place('function quoteAll('),
    sum: place('parcels.length >='),
    isImproved: text.includes(IMPROVED),
    checksWeights: text.includes(WEIGHT_CHECKED),
    improvedCode: `\`\`\`${language} ${path}\n${improve(text).trimEnd()}\n\`\`\``,
  };
}
