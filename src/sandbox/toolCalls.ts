/** Decides which of the offered tools the sandbox calls, and with which arguments. */
import type { ChatRequest, Tool } from '../formats/conversation.ts';
import { type Hints, schemaValue } from './schemaValue.ts';
import type { SandboxTurn } from './turn.ts';

export interface PlannedCall {
  readonly tool: Tool;
  /** JSON, or plain text for a free-form tool. */
  readonly arguments: string;
}

/** Length of the question's beginning that is searched for tool names and arguments. */
const SEARCHED_LENGTH = 4_000;

/**
 * Returns the calls that answer this turn, or an empty array if it is answered in words. Users request a tool by its
 * name. Several names result in parallel calls, or in sequential calls if the question contains the word "then". A tool
 * choice that requires a call is followed even if the user has named no tool.
 */
export function planCalls(request: ChatRequest, given: SandboxTurn): readonly PlannedCall[] {
  const turn = { ...given, question: given.question.slice(0, SEARCHED_LENGTH) };
  const tools = request.tools ?? [];
  const chosen = limited(request, named(tools, turn), tools);
  const oneByOne = request.parallelToolCalls === false || isSequence(turn);
  const hints = readHints(turn.question, tools);
  return (oneByOne ? chosen.slice(0, 1) : chosen).map((tool) => ({ tool, arguments: argumentsFor(tool, turn, hints) }));
}

function named(tools: readonly Tool[], turn: SandboxTurn): readonly Tool[] {
  if (turn.results.length > 0 && !isSequence(turn)) return [];
  const called = new Set(turn.called);
  const words = wordsIn(turn.question);
  return tools
    .map((tool) => ({ tool, position: mentionOf(tool.name, turn.question, words) }))
    .filter(({ tool, position }) => position >= 0 && !called.has(tool.name))
    .sort((a, b) => a.position - b.position)
    .map(({ tool }) => tool);
}

function limited(request: ChatRequest, wanted: readonly Tool[], tools: readonly Tool[]): readonly Tool[] {
  const choice = request.toolChoice ?? { type: 'auto' };
  if (choice.type === 'none') return [];
  if (choice.type === 'tool') return tools.filter((tool) => tool.name === choice.name).slice(0, 1);
  const names = new Set(choice.type === 'allowed' ? choice.names : []);
  const allowed = choice.type === 'allowed' ? tools.filter((tool) => names.has(tool.name)) : tools;
  const mode = choice.type === 'allowed' ? choice.mode : choice.type;
  const callable = new Set(allowed);
  const calls = wanted.filter((tool) => callable.has(tool));
  return calls.length === 0 && mode === 'required' ? allowed.slice(0, 1) : calls;
}

function isSequence({ question }: SandboxTurn): boolean {
  return /\bthen\b/i.test(question);
}

/**
 * Returns the position where the question names the tool, or -1. Names that are ordinary words, such as `Read`, only
 * count after "use", "call", or "run", because they also occur with other meanings.
 */
function mentionOf(name: string, question: string, words: ReadonlyMap<string, number>): number {
  const position = WORD.test(name) ? (words.get(name) ?? -1) : wordIn(question, name);
  if (position < 0 || /[_\d.-]|[a-z][A-Z]/.test(name)) return position;
  return /\b(use|call|run)\b/i.test(question.slice(0, position)) ? position : -1;
}

const WORD = /^[\w-]+$/;

/** The first position of each word. */
function wordsIn(question: string): ReadonlyMap<string, number> {
  return new Map([...question.matchAll(/[\w-]+/g)].map(({ 0: word, index }) => [word, index] as const).reverse());
}

/** Where a name that is more than a word stands by itself; -1 where it does not. */
function wordIn(question: string, name: string): number {
  if (name === '') return -1;
  for (let at = question.indexOf(name); at !== -1; at = question.indexOf(name, at + 1)) {
    if (!continuesWord(question, at - 1) && !continuesWord(question, at + name.length)) return at;
  }
  return -1;
}

function continuesWord(question: string, at: number): boolean {
  return WORD.test(question.charAt(at));
}

/** `key=value` pairs of the question, and its quoted words that are not the names of tools. */
function readHints(question: string, tools: readonly Tool[]): Hints {
  const pairs = [...question.matchAll(/([A-Za-z_][\w-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`|([^\s,;]+))/g)];
  const rest = pairs.reduce((text, [pair]) => text.replace(pair, ' '), question);
  const quoted = [...rest.matchAll(/"([^"]+)"|`([^`]+)`|(?<!\w)'([^']+)'(?!\w)/g)];
  return {
    named: new Map(pairs.map(([, key = '', ...values]) => [key, captured(values)])),
    quoted: quoted.map(([, ...values]) => captured(values)).filter((text) => !tools.some(({ name }) => name === text)),
  };
}

function captured(groups: readonly (string | undefined)[]): string {
  return groups.find((group) => group !== undefined) ?? '';
}

function argumentsFor(tool: Tool, { question }: SandboxTurn, hints: Hints): string {
  if (tool.freeForm) return hints.quoted[0] ?? (question || 'sandbox');
  return JSON.stringify(schemaValue(tool.parameters ?? { type: 'object' }, { hints }));
}
