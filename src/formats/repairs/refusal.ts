/** Reads which members of a request a server refuses, from an error of any shape. */
import { isRecord, type JsonRecord, parseJson } from '../json.ts';
import { CALLER_VALUES } from './removals.ts';
import { isRepairable } from './repair.ts';
import type { KnownModel, Problem } from './simplification.ts';
import { SIMPLIFICATIONS } from './simplifications.ts';

/** The member itself is refused, or all of its values but the default. */
const MEMBER_REFUSED =
  /unsupported|not (?:be )?(?:support|permit|allow|accept|recogni[sz]|available|compatible)|n't support|unrecogni[sz]ed|unknown|unexpected|deprecated|extra_forbidden|extra (?:input|field)|additional propert|cannot (?:both )?be (?:used|specified|set|enabled)|no longer|was removed|only the default|invalid (?:request )?(?:parameter|argument|field|property|member|key)|expected tags|forbidden|(?:may|can) only be|only supports? |only \S{1,20} is (?:allowed|supported)|must (?:not be (?:set|specified|present|used|provided)|be (?:unset|omitted))|extraneous/i;

/** A value is refused that another value could replace, which is for the caller to choose. */
const VALUE_REFUSED =
  /at most|at least|(?:less|greater|lower|higher|more|larger|smaller) than|between\b.{0,60}\band|maximum|minimum|exceed|too (?:large|small|high|low|long|short|big|many|few)|out of range|(?:in|within) the range|[<>]=|[≤≥]|(?:supported|allowed|valid|permitted|possible) values|one of|should be '/i;

/** Only one value is accepted, so the member can be omitted. */
const ONE_VALUE = /only the default[^.]*|only \S{1,20} is (?:allowed|supported)|(?:may|can) only be[^.]*/i;

/** Members of an error that contain words. Others, such as FastAPI's `input`, quote the request. */
const WORDS: ReadonlySet<string> = new Set([
  'message',
  'msg',
  'detail',
  'details',
  'error',
  'errors',
  'title',
  'reason',
  'description',
  'raw',
  'metadata',
  'issues',
  'cause',
  'body',
]);
const CODES = ['code', 'type', 'param', 'field'] as const;
const MAX_LEVELS = 6;
/** More is not an error's sentence. In characters. */
const MAX_TEXT = 4_000;

/**
 * Returns the changes of the request that the words of a refusal ask for. Empty if they ask for none.
 * @param answer the body of a refusal.
 */
export function refusedMembers(answer: string, request: JsonRecord, known: KnownModel = {}): readonly string[] {
  const isPresent = (member: string): boolean => isRepairable(request, member);
  const problems = problemsOf(answer).map((problem) => ({ problem, meant: changesMeant(problem, request, known) }));
  const meant = problems.flatMap((each) => each.meant);
  // Asking again could not help.
  if (
    problems.some(
      (each) => each.meant.length === 0 && each.problem.path !== undefined && refusesValue(each.problem.text),
    )
  )
    return [...new Set(meant)];
  // What is meant explains the sentence, so the names in it are not refused as well.
  const named = problems.flatMap((each) => (each.meant.length > 0 ? each.meant : namedBy(each.problem, isPresent)));
  return [...new Set(named)];
}

/** Returns the changes that the words of a problem mean although they do not name them. */
function changesMeant(problem: Problem, body: JsonRecord, known: KnownModel = {}): readonly string[] {
  for (const { name, meant, argumentIn, apply } of SIMPLIFICATIONS) {
    const argument = argumentIn?.(problem, body, known);
    if (argument === undefined && meant?.test(problem.text) !== true) continue;
    if (apply(body, argument ?? '') !== undefined) return [argument === undefined ? name : `${name}=${argument}`];
  }
  return [];
}

/** Whether a refusal speaks of a value that the caller has chosen and can change. */
export function isOfCallersValue(answer: string, request: JsonRecord): boolean {
  return problemsOf(answer).some((problem) => {
    const { text, sentence, path } = problem;
    if (!refusesValue(text) || changesMeant(problem, request).length > 0) return false;
    return [path ?? '', ...namesIn(sentence)].some((name) => CALLER_VALUES.has(name) && Object.hasOwn(request, name));
  });
}

function refusesValue(text: string): boolean {
  return VALUE_REFUSED.test(text.replace(ONE_VALUE, ''));
}

function namedBy(problem: Problem, isPresent: (member: string) => boolean): readonly string[] {
  const { text, sentence, path } = problem;
  if (!MEMBER_REFUSED.test(text) || refusesValue(text)) return [];
  const ofPath = path === undefined ? undefined : memberAt(path, isPresent);
  if (ofPath !== undefined) return [narrowed(ofPath, isPresent)];
  const named = [...new Set(namesIn(sentence).flatMap((name) => memberAt(name, isPresent) ?? []))];
  // Of two members that exclude each other, one may stay.
  const refused = /\bboth\b/i.test(sentence) ? named.slice(1, 2) : named;
  return [...new Set(refused.map((member) => narrowed(member, isPresent)))];
}

/** A budget for thinking is refused before thinking as such. */
const NARROWED: Readonly<Record<string, readonly string[]>> = {
  thinking: ['thinking.type.enabled', 'thinking.type.disabled'],
};

function narrowed(member: string, isPresent: (member: string) => boolean): string {
  return NARROWED[member]?.find(isPresent) ?? member;
}

/**
 * Returns the most specific member of a path, such as `reasoning.summary`, or `reasoning_content` of
 * `messages.1.assistant.reasoning_content`.
 */
function memberAt(path: string, isPresent: (member: string) => boolean): string | undefined {
  const names = path
    .replace(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((name) => name !== '' && name !== 'body' && name !== '$')
    .map((name) => name.replace(/[a-z][A-Z]/g, ([lower, upper]) => `${lower}_${upper?.toLowerCase()}`));
  for (let length = names.length; length > 0; length -= 1) {
    const member = names.slice(0, length).join('.');
    if (isPresent(member)) return member;
  }
  const last = names.length > 1 ? names.findLast((name) => !/^\d+$/.test(name)) : undefined;
  return last !== undefined && isPresent(last) ? last : undefined;
}

/** What the server suggests instead is not refused. */
const SUGGESTION =
  /\b(?:please )?(?:use|try|consider|prefer|did you mean|instead of|replaced by|in favou?r of)\b.{0,300}?(?:[.)](?=\s|$)|$)/gi;
const QUOTED = /[`'"“‘]([A-Za-z_$][\w.[\]-]*)[`'"”’]/g;
const LISTED =
  /(?:parameter|argument|field|property|properties|member|key|option|input)s?(?: \w+)?:? +([\w.]+(?:, *[\w.]+)*)/gi;
const FIRST = /(?:^|[.:;] |\n)([A-Za-z_][\w.[\]]*)(?=:| (?:is|are|was|has|cannot|does|not)\b)/g;
/** After the words of a refusal, as in "not supported on this model: presencePenalty". */
const AFTER_REFUSAL =
  /(?:supported|permitted|allowed|recogni[sz]ed|unknown|invalid)\b[^:'"\n]{0,60}[: ] *\[?([A-Za-z][\w.]*(?:, *[A-Za-z][\w.]*)*)/gi;
/** Words that mean nothing else in an error. */
const PLAIN = /\b(?:temperature|verbosity|seed|logprobs|truncation|strict)\b/g;
const WITH_UNDERSCORE = /\b[a-z]+(?:_[a-z]+)+(?:\.\w+)*/g;

function namesIn(sentence: string): readonly string[] {
  const text = sentence.replace(SUGGESTION, ' ').replace(/\brole:? ?['"`]?\w+['"`]?/gi, ' ');
  return [QUOTED, LISTED, FIRST, AFTER_REFUSAL, PLAIN, WITH_UNDERSCORE].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([found, names = found]) => names.split(/, */)),
  );
}

function problemsOf(answer: string): readonly Problem[] {
  const problems: Problem[] = [];
  collect(parsed(answer) ?? answer, 0, problems);
  return problems;
}

function collect(value: unknown, level: number, problems: Problem[]): void {
  if (level > MAX_LEVELS) return;
  if (typeof value === 'string') addText(value, level, problems);
  else if (Array.isArray(value)) for (const each of value) collect(each, level + 1, problems);
  else if (isRecord(value)) collectRecord(value, level, problems);
}

function addText(value: string, level: number, problems: Problem[]): void {
  const inner = value.trimStart().startsWith('{') ? parsed(value) : undefined;
  if (inner !== undefined) collect(inner, level + 1, problems);
  else problems.push({ text: value.slice(0, MAX_TEXT), sentence: value.slice(0, MAX_TEXT) });
}

function collectRecord(value: JsonRecord, level: number, problems: Problem[]): void {
  const sentences = [value.message, value.msg, value.detail, value.reason, value.title, value.description].filter(
    (each): each is string => typeof each === 'string' && parsed(each) === undefined,
  );
  const sentence = sentences.join('\n').slice(0, MAX_TEXT);
  const codes = CODES.map((name) => value[name]).filter((each) => typeof each === 'string');
  const path = pathOf(value);
  if (sentences.length > 0 || path !== undefined) {
    const text = [...codes, sentence].join('\n');
    problems.push({ text, sentence, ...(path !== undefined && { path }) });
  }
  for (const [name, inner] of Object.entries(value)) {
    const isRead = typeof inner === 'string' && sentences.includes(inner);
    if (WORDS.has(name) && !isRead) collect(inner, level + 1, problems);
  }
}

function pathOf({ param, field, loc }: JsonRecord): string | undefined {
  if (Array.isArray(loc)) return loc.join('.');
  const path = param ?? field;
  return typeof path === 'string' && path !== '' ? path : undefined;
}

function parsed(text: string): unknown {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}
