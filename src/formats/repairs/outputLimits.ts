/** The output limit, which servers know by different names and bound in different ways. */
import { type JsonRecord, lengthUpTo } from '../json.ts';
import { speaksOfOtherReason } from '../refusalReason.ts';
import { type KnownModel, lowest, type Problem, renamed, type Simplification, without } from './simplification.ts';

const NAMES = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const;
type LimitMember = (typeof NAMES)[number];

/** The lowest output limit that services of the responses format accept. */
const MIN_OUTPUT_TOKENS = 16;
/** A shorter rest of the window is not worth an answer; a larger window is. */
const MIN_REST = 256;
/** Lower numbers in words that are not understood are codes and places. */
const MIN_COMPARED = 1024;
/** Limits that most models accept, largest first. */
const USUAL_LIMITS = [8192, 4096] as const;
/** How much more a prompt may have than estimated. */
const MARGIN = 1.02;

/** Whether a refusal speaks of the output. */
const OF_OUTPUT =
  /max_(?:completion_|output_|new_)?tokens|maxOutputTokens|max(?:imum)? (?:completion|output|new|generated) tokens|(?:output|completion|generat\w+) (?:tokens?|length|limit)|tokens (?:to generate|for the completion|in the completion)|最大输出/i;
const TOO_LARGE =
  /too (?:large|big|high|many|long)|exceed|at most|maximum|above|greater|larger|more than|less than|lower than|not? (?:be )?(?:greater|larger|more)|must be|should be|range|limit|[<>≤≥]|between|超过|不能大于|范围|最大/i;
/** Matches what is said of the limit itself, not of the range in which it must be. */
const TOO_SMALL = /below (?:the )?min|too (?:small|low)|[^<]>= ?\d|≥|at least/i;

export const OUTPUT_LIMITS: readonly Simplification[] = [
  {
    // Only values below the minimum are refused.
    name: 'max_output_tokens.minimum',
    weight: 'form',
    lost: 'max_output_tokens',
    meant: /max_output_tokens\b.{0,200}(?:below|minimum|at least|>=|≥|greater than)/i,
    apply: (body) =>
      typeof body.max_output_tokens === 'number' && body.max_output_tokens < MIN_OUTPUT_TOKENS
        ? { ...body, max_output_tokens: MIN_OUTPUT_TOKENS }
        : undefined,
  },
  ...NAMES.map((name): Simplification => {
    return {
      name: `${name}.window`,
      weight: 'rest',
      isDeep: true,
      lost: name,
      argumentIn: (problem, body) => windowIn(problem, body, name),
      apply: (body, argument) => withinWindow(body, name, argument),
    };
  }),
  ...NAMES.map((name): Simplification => {
    return {
      name: `${name}.maximum`,
      weight: 'rest',
      lost: name,
      argumentIn: (problem, body, known) => maximumIn(problem, body, name, known),
      guess: (body, { maxOutputTokens = 0 }) =>
        String(maxOutputTokens > 0 && maxOutputTokens < Number(body[name]) ? maxOutputTokens : USUAL_LIMITS[1]),
      merged: lowest,
      apply: (body, argument) => lowered(body, name, Number(argument)),
    };
  }),
  swap('max_tokens', 'max_completion_tokens'),
  swap('max_completion_tokens', 'max_tokens'),
  none('max_tokens', 'max_tokens:none'),
  none('max_completion_tokens', 'max_completion_tokens:none'),
  // It has no other name.
  none('max_output_tokens', 'max_output_tokens'),
];

/** Only if it is asked for: without a limit, an answer can cost more than was reserved. */
function none(lost: LimitMember, name: string): Simplification {
  return { ...{ name, weight: 'rest', isOnlyAsked: true, lost }, apply: (body) => without(body, [lost]) };
}

function swap(from: LimitMember, to: LimitMember): Simplification {
  return { name: from, weight: 'rest', isOnlyAsked: true, apply: (body) => renamed(body, from, to) };
}

function lowered(body: JsonRecord, name: LimitMember, limit: number): JsonRecord | undefined {
  const current = body[name];
  return typeof current === 'number' && limit > 0 && current > limit ? { ...body, [name]: limit } : undefined;
}

/** In either notation of thousands. */
function numbersIn(text: string): readonly number[] {
  const found = text.match(/\d{1,3}(?:[,_]\d{3})+|\d+(?:\.\d+)?k?\b/gi) ?? [];
  return found.map((number) => Number.parseFloat(number.replace(/[,_]/g, '')) * (/k$/i.test(number) ? 1024 : 1));
}

function maximumIn(
  problem: Problem,
  body: JsonRecord,
  name: LimitMember,
  { maxOutputTokens }: KnownModel,
): string | undefined {
  const { text, sentence, path = '' } = problem;
  const limit = body[name];
  if (typeof limit !== 'number' || TOO_SMALL.test(text)) return undefined;
  const lower = numbersIn(sentence).filter((number) => Number.isInteger(number) && number < limit);
  const isMeant = (OF_OUTPUT.test(text) || OF_OUTPUT.test(path)) && TOO_LARGE.test(text);
  if (!isMeant) return isComparedIn(problem, name, limit) ? largest(lower, MIN_COMPARED) : undefined;
  const isTooLarge = /too (?:large|big|high|many|long)|exceed|超过/i.test(sentence);
  const unnamed = maxOutputTokens ?? (isTooLarge ? USUAL_LIMITS[0] : limit);
  const usual = [unnamed, ...USUAL_LIMITS].find((each) => each < limit);
  const isUnnamed = isTooLarge || maxOutputTokens !== undefined;
  return largest(lower, MIN_OUTPUT_TOKENS) ?? (isUnnamed && usual !== undefined ? String(usual) : undefined);
}

/** In any language, a refusal that names the limit or its member beside a lower number says that it is too large. */
function isComparedIn({ text, sentence, path }: Problem, name: LimitMember, limit: number): boolean {
  if (limit <= MIN_COMPARED || speaksOfOtherReason(text)) return false;
  return numbersIn(sentence).includes(limit) || path === name || sentence.includes(name);
}

function largest(numbers: readonly number[], least: number): string | undefined {
  const named = numbers.filter((number) => number >= least);
  return named.length > 0 ? String(Math.max(...named)) : undefined;
}

const WINDOWS: readonly RegExp[] = [
  /(?:context|model'?s?(?: maximum)?) (?:length|window|size|limit)[^\d]{0,40}?(\d[\d,_]*)/i,
  /[<>] ?(\d[\d,_]*)(?: ?-|\b)/,
];
const INPUTS: readonly RegExp[] = [
  /(\d[\d,_]*) ?\+ ?\d[\d,_]* ?>/,
  /> ?\d[\d,_]* ?- ?(\d[\d,_]*)/,
  /(\d[\d,_]*) (?:tokens )?(?:in the|from the|of|for the) (?:messages|prompt|input)/i,
  /(\d[\d,_]*) (?:input|prompt) tokens/i,
  /(?:prompt|input) (?:contains|has|length(?: is)?|of)[^\d]{0,20}(\d[\d,_]*)/i,
];

function firstNumber(patterns: readonly RegExp[], text: string): number | undefined {
  const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find((each) => each !== undefined);
  return found === undefined ? undefined : Number(found.replace(/[,_]/g, ''));
}

/**
 * Reads a refusal of a prompt and an answer that do not fit into the model's window together.
 * @returns `window:tokens:length`, all of the refused request, from which the rest of others is estimated.
 */
function windowIn(problem: Problem, body: JsonRecord, name: LimitMember): string | undefined {
  if (typeof body[name] !== 'number' || !/completion|output|max_(?:\w+_)?tokens/i.test(problem.text)) return undefined;
  const window = firstNumber(WINDOWS, problem.sentence);
  const tokens = firstNumber(INPUTS, problem.sentence);
  if (window === undefined || tokens === undefined || window - tokens < MIN_REST) return undefined;
  return `${window}:${tokens}:${lengthUpTo(body, Number.POSITIVE_INFINITY)}`;
}

/** A prompt without room for an answer stays as it is, so that the server says how long it is. */
function withinWindow(body: JsonRecord, name: LimitMember, argument: string): JsonRecord | undefined {
  const [window = 0, tokens = 0, length = 1] = argument.split(':').map(Number);
  const prompt = Math.ceil(((lengthUpTo(body, Number.POSITIVE_INFINITY) * tokens) / length) * MARGIN);
  const rest = window - prompt;
  return rest < MIN_REST ? undefined : lowered(body, name, rest);
}
