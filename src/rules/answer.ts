import type { Citation, ReasoningPart, TextSpan } from '../formats/conversation.ts';

/** `cut`: the answer reached the token limit. */
export type AnswerStatus = 'waiting' | 'streaming' | 'complete' | 'cut' | 'stopped' | 'failed';

/** An image is a file beside the conversation's file. Records do not contain its bytes. */
export interface StoredImage {
  /** The file's name: the digest of its bytes, and an extension. */
  readonly file: string;
  /** The MIME type, such as `image/png`. */
  readonly mediaType: string;
}

/** A tool call by the model. */
export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them: JSON or free text. Empty until they are complete. */
  readonly arguments: string;
  /** The tool's result, if it was run. */
  readonly result?: string;
  /** The images of the result. */
  readonly images?: readonly StoredImage[];
  /** True if the result is an error. */
  readonly isError?: true;
  /** What the agent does for it. */
  readonly action?: RunAction;
}

export type ActionKind =
  | 'read'
  | 'list'
  | 'search'
  | 'problems'
  | 'changes'
  | 'edit'
  | 'create'
  | 'rename'
  | 'delete'
  | 'command'
  /** Reads what a command in the background has printed, or stops it. */
  | 'output'
  | 'fetch'
  | 'plan'
  | 'ask'
  | 'skill'
  /** Definitions of tools. */
  | 'load'
  /** Gives parts of the task to helpers. */
  | 'helpers'
  /** A tool of another extension. */
  | 'tool';

/**
 * - `waiting`: for its turn or the user's decision.
 * - `interrupted`: the window was closed meanwhile. It is not run again.
 */
export type ActionState = 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'interrupted';

/** An action of the agent, as a step shows it. */
export interface RunAction {
  readonly kind: ActionKind;
  readonly state: ActionState;
  /** What it acts on: paths, a command, a search text. */
  readonly object: string;
  /** The result in a few words, such as `44 lines`. */
  readonly note?: string;
  readonly added?: number;
  readonly removed?: number;
  readonly exitCode?: number;
  /** When it began in milliseconds since the epoch, and how long it took in milliseconds. */
  readonly at?: number;
  readonly ms?: number;
  /** The last lines of a command's output. */
  readonly output?: string;
  /** Who denied it: the user, or a rule with its reason. */
  readonly denied?: { readonly by: 'user' | 'rule'; readonly reason?: string };
}

/** A source, and the part of the answer's text that it applies to, if known. */
export interface AnswerCitation extends Citation {
  readonly span?: TextSpan;
  /** The service's proof that it found the source, which is sent back with the next question. */
  readonly proof?: string;
}

/** What refused: the model, or a filter of the service that withheld the answer. */
export type Refuser = 'model' | 'filter';

/** A part of the reasoning that must be sent back unchanged with the results of the tools that were called after it. */
export type SealedReasoning = Omit<ReasoningPart, 'type'>;

/** The answer so far. */
export interface AnswerContent {
  readonly status: AnswerStatus;
  readonly reasoning: string;
  readonly text: string;
  readonly toolCalls?: readonly ToolCallView[];
  /** Only kept for steps of the agent. */
  readonly sealed?: readonly SealedReasoning[];
  /** The sources of the answer. A source can apply to several passages. */
  readonly citations?: readonly AnswerCitation[];
  /** The text of a refusal, if the format distinguishes it from the answer's text. */
  readonly refusal?: string;
  readonly refusedBy?: Refuser;
}

/** An addition to an answer. */
export interface AnswerDelta {
  readonly text?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  /** A new call, or a known one that is now complete. */
  readonly toolCall?: ToolCallView;
  readonly citation?: AnswerCitation;
  readonly sealed?: SealedReasoning;
}

/**
 * The most parts of each kind that an answer keeps. Each addition is compared with those before it and copies them. No
 * real answer has so many.
 */
export const MAX_CITATIONS = 1000;
export const MAX_TOOL_CALLS = 1000;
export const MAX_REASONING_PARTS = 1000;

/**
 * Returns the answer with a delta added. A citation that the answer already has is not added again, and neither is a
 * part beyond the most that an answer keeps.
 */
export function applyDelta<Answer extends AnswerContent>(answer: Answer, delta: AnswerDelta): Answer {
  const { text = '', reasoning = '', refusal, toolCall, citation, sealed } = delta;
  return {
    ...answer,
    status: 'streaming',
    text: answer.text + text,
    reasoning: answer.reasoning + reasoning,
    ...(refusal !== undefined && { refusal: (answer.refusal ?? '') + refusal }),
    ...(toolCall !== undefined && { toolCalls: withCall(answer.toolCalls ?? [], toolCall) }),
    ...(sealed !== undefined && { sealed: withSealed(answer.sealed ?? [], sealed) }),
    ...(citation !== undefined && { citations: withCitation(answer.citations ?? [], citation) }),
  };
}

export function isRunning({ status }: Pick<AnswerContent, 'status'>): boolean {
  return status === 'waiting' || status === 'streaming';
}

/** Whether the model, or a filter of the service, refused. */
export function isRefusal({ refusal, refusedBy }: Pick<AnswerContent, 'refusal' | 'refusedBy'>): boolean {
  return refusal !== undefined || refusedBy !== undefined;
}

export function withCall(calls: readonly ToolCallView[], call: ToolCallView): readonly ToolCallView[] {
  const place = calls.findLastIndex(({ id }) => id === call.id);
  if (place !== -1) return calls.with(place, call);
  return calls.length >= MAX_TOOL_CALLS ? calls : [...calls, call];
}

function withSealed(parts: readonly SealedReasoning[], part: SealedReasoning): readonly SealedReasoning[] {
  return parts.length >= MAX_REASONING_PARTS ? parts : [...parts, part];
}

function withCitation(citations: readonly AnswerCitation[], citation: AnswerCitation): readonly AnswerCitation[] {
  const isFull = citations.length >= MAX_CITATIONS;
  return isFull || citations.some((known) => isSameCitation(known, citation)) ? citations : [...citations, citation];
}

function isSameCitation(a: AnswerCitation, b: AnswerCitation): boolean {
  return (
    a.url === b.url &&
    a.title === b.title &&
    a.quote === b.quote &&
    a.span?.start === b.span?.start &&
    a.span?.end === b.span?.end
  );
}
