import * as l10n from '@vscode/l10n';
import { firstLine } from '../../agent/cutText.ts';
import type { Decisions } from '../../agent/decisions.ts';
import { injectionIn } from '../../agent/injections.ts';
import {
  type AgentTool,
  type ApprovalNeed,
  CallInterruptedError,
  type PreparedToolCall,
  type ResultImage,
  ToolError,
  type ToolOutcome,
} from '../../agent/tools/tool.ts';
import { errorText } from '../../display/errors.ts';
import { defined } from '../../formats/json.ts';
import type {
  ApprovalChoice,
  ApprovalQuestion,
  InstructionsWarning,
  RunAction,
  ToolCallView,
} from '../../pages/chat/protocol.ts';
import type { StoredImage } from '../../rules/answer.ts';
import { DelayedCall } from '../../rules/delayedCall.ts';
import { unescapeJson } from '../../secrets/jsonEscapes.ts';
import type { Approvals } from './approvals.ts';
import type { Checkpoint } from './checkpoints.ts';
import { CommandChanges } from './commandChanges.ts';

/** The panel gets what a call does at most ten times a second. */
const SHOWN_EVERY_MS = 100;

const DENIED =
  'The user denied this. Do not try to achieve the same in another way. Continue without it, or ask the user what to do.';
const MOVED = 'It would now act on something else than what was denied. Call the tool again if it is still needed.';
const INTERRUPTED =
  'The editor was closed while this ran, and it was not run again. Check what it has done before you continue.';

/** The kinds of actions that may change any file. */
const ACTS_FREELY: ReadonlySet<RunAction['kind']> = new Set(['command', 'tool']);

export interface CallRunnerOptions {
  readonly chatId: string;
  readonly checkpoint: Checkpoint;
  readonly tools: ReadonlyMap<string, AgentTool>;
  readonly approvals: Approvals;
  readonly decisions: Pick<Decisions, 'ask' | 'answerKnown'>;
  /** Claims files. Returns why they cannot be changed now. */
  readonly claim?: (uris: readonly string[]) => string | undefined;
  /** Keeps the images of a result beside the conversation. */
  readonly keepImages: (images: readonly ResultImage[]) => Promise<readonly StoredImage[]>;
  /** Returns how many secrets a text contains that were replaced in a request. */
  readonly countSecrets: (text: string) => number;
  readonly onDidChange: () => void;
}

export interface DoneCall {
  readonly call: ToolCallView;
  readonly edit?: ToolOutcome['edit'];
  /** Whether files may have changed. */
  readonly changesFiles: boolean;
}

/** Where the states of a call go. */
export interface CallSink {
  /** The ID of the step that the calls belong to. */
  readonly stepId: string;
  /** Shows a state that is soon replaced by another. */
  show(call: ToolCallView): void;
  /** Keeps a state, and resolves when it is written: what has begun must not begin again after a crash. */
  keep(call: ToolCallView): Promise<void>;
}

/** Runs the calls of a model, one after the other, each once it may. */
export class CallRunner {
  readonly #options: CallRunnerOptions;
  readonly #running = new Map<string, AbortController>();
  /** Text that gave instructions to the model, until the user has allowed something after it. */
  warning: InstructionsWarning | undefined;

  constructor(options: CallRunnerOptions) {
    this.#options = options;
  }

  /**
   * Runs a call and returns it with its result, which is an error if it failed or was denied. A call that was running
   * when the window was closed is not run again.
   * @returns undefined if the run was stopped before the call began.
   */
  async run(call: ToolCallView, stop: AbortSignal, sink: CallSink): Promise<DoneCall | undefined> {
    const prepared = await this.#prepare(call);
    if (call.action?.state === 'running') {
      const goesOn = !(prepared instanceof FailedCall) && prepared.resumes === true;
      if (goesOn) return this.#execute(call, prepared, stop, sink);
      return failed(call, { ...call.action, state: 'interrupted' }, INTERRUPTED);
    }
    if (prepared instanceof FailedCall) return failed(call, prepared.action, prepared.message);
    const action: RunAction = { ...prepared.action, state: 'waiting' };
    const verdict = await this.#decide(call, prepared, action, stop, sink);
    if (verdict === 'stopped') return undefined;
    if (verdict !== 'allowed')
      return failed(call, { ...action, state: 'denied', denied: verdict.denied }, verdict.message);
    return this.#execute(call, prepared, stop, sink);
  }

  /**
   * Runs a call that the user has just allowed, unless it would act on something else than the step shows.
   * @returns undefined if it was stopped before it began.
   */
  async runAllowed(call: ToolCallView, stop: AbortSignal, sink: CallSink): Promise<DoneCall | undefined> {
    const prepared = await this.#prepare(call);
    if (prepared instanceof FailedCall) return failed(call, prepared.action, prepared.message);
    if (prepared.action.object !== call.action?.object)
      return failed(call, { ...prepared.action, state: 'failed' }, MOVED);
    return this.#execute(call, prepared, stop, sink);
  }

  cancel(callId: string): void {
    this.#running.get(callId)?.abort();
  }

  async #prepare({ name, arguments: written }: ToolCallView): Promise<PreparedToolCall | FailedCall> {
    const tool = this.#options.tools.get(name);
    const action = { kind: 'tool', object: name, state: 'failed' } as const;
    if (tool === undefined) return new FailedCall(action, `There is no tool ${name}.`);
    try {
      return await tool.prepare(parse(written));
    } catch (error) {
      return new FailedCall(action, error instanceof ToolError ? error.message : errorText(error));
    }
  }

  async #decide(
    call: ToolCallView,
    { need }: PreparedToolCall,
    action: RunAction,
    stop: AbortSignal,
    sink: CallSink,
  ): Promise<'allowed' | 'stopped' | Denial> {
    if (need === undefined) return 'allowed';
    const { approvals, decisions, chatId } = this.#options;
    const verdictNow = () => approvals.verdictOn(need, chatId, this.warning !== undefined);
    const verdict = verdictNow();
    if (verdict.type === 'allowed') return 'allowed';
    if (verdict.type === 'denied') return deniedByRule(verdict.path);
    await sink.keep({ ...call, action });
    const question: Omit<ApprovalQuestion, 'number'> = {
      type: 'approval',
      callId: call.id,
      action,
      choices: verdict.choices,
      ...defined({
        pattern: verdict.pattern,
        folder: need.folder,
        skill: need.skill,
        diff: need.diff,
        input: need.input,
      }),
      ...defined({ secrets: this.#options.countSecrets(unescapeJson(call.arguments)) || undefined }),
      ...this.#reasonFor(need),
    };
    // While it waits for its turn, the user may allow the same to another helper for longer.
    const known = () => (verdictNow().type === 'allowed' ? 'once' : undefined);
    const choice = await decisions.ask<ApprovalChoice>(question, stop, known);
    if (choice === undefined) return 'stopped';
    if (choice === 'deny') return { denied: { by: 'user' }, message: DENIED };
    // A choice that was not offered, such as by an outdated panel, counts once.
    if (choice !== 'once' && verdict.choices.includes(choice)) await approvals.keep(need, chatId, choice);
    this.warning = undefined;
    decisions.answerKnown();
    return 'allowed';
  }

  #reasonFor({ reason }: ApprovalNeed): Pick<ApprovalQuestion, 'reason' | 'after'> {
    if (this.warning !== undefined) return { reason: reason ?? 'instructions', after: this.warning.source };
    return reason === undefined ? {} : { reason };
  }

  /** Resolves with undefined if it is stopped before it begins. What it has kept until then is taken back. */
  async #execute(
    call: ToolCallView,
    prepared: PreparedToolCall,
    stop: AbortSignal,
    sink: CallSink,
  ): Promise<DoneCall | undefined> {
    if (stop.aborted) return undefined;
    const taken = prepared.writes && this.#options.claim?.(prepared.writes);
    if (taken !== undefined) return failed(call, { ...prepared.action, state: 'failed' }, taken);
    const at = Date.now();
    const own = new AbortController();
    this.#running.set(call.id, own);
    let action: RunAction = { ...prepared.action, state: 'running', at };
    const showing = new DelayedCall(() => sink.show({ ...call, action }), SHOWN_EVERY_MS);
    let changes: CommandChanges | undefined;
    try {
      await sink.keep({ ...call, action });
      if (ACTS_FREELY.has(action.kind)) changes = await CommandChanges.begin(this.#options.checkpoint);
      if (stop.aborted) {
        await sink.keep(call);
        return undefined;
      }
      const outcome = await prepared.run({
        place: { step: sink.stepId, call: call.id },
        signal: AbortSignal.any([stop, own.signal]),
        report: (change) => {
          action = { ...action, ...change };
          showing.soon();
        },
        ask: (text, options) => this.#ask(call.id, text, options, stop),
      });
      this.#look(outcome);
      const { images = [] } = outcome;
      const kept = images.length === 0 ? {} : { images: await this.#options.keepImages(images) };
      return done({ ...call, ...kept }, { ...action, state: 'done', ms: Date.now() - at, ...outcome.action }, outcome);
    } catch (error) {
      if (error instanceof CallInterruptedError) return undefined;
      const message = error instanceof ToolError ? error.message : errorText(error);
      return failed(call, { ...action, state: 'failed', ms: Date.now() - at }, message);
    } finally {
      await changes?.end();
      showing.dispose();
      this.#running.delete(call.id);
    }
  }

  async #ask(callId: string, text: string, options: readonly string[], stop: AbortSignal): Promise<string> {
    const answer = await this.#options.decisions.ask<string>({ type: 'form', callId, text, options }, stop);
    if (answer === undefined) throw new ToolError('The user stopped the run without an answer.');
    return answer;
  }

  /** Looks for instructions in what the model will read. */
  #look({ text, source, warning }: ToolOutcome): void {
    if (warning !== undefined) this.warning = warning;
    const quote = source === undefined ? undefined : injectionIn(text);
    if (source === undefined || quote === undefined) return;
    this.warning = { source: source.name, quote, isFile: source.isFile };
    this.#options.onDidChange();
  }
}

/** A call that could not be understood. */
class FailedCall {
  readonly action: RunAction;
  readonly message: string;

  constructor(action: RunAction, message: string) {
    this.action = action;
    this.message = message;
  }
}

interface Denial {
  readonly denied: NonNullable<RunAction['denied']>;
  readonly message: string;
}

function deniedByRule(path: string): Denial {
  return {
    denied: { by: 'rule', reason: l10n.t('It deletes files outside the workspace.') },
    message: `This is not allowed: it deletes ${path}, which is outside the workspace. Leave it to the user.`,
  };
}

function done(call: ToolCallView, action: RunAction, { text, isError, edit }: ToolOutcome): DoneCall {
  const result = text === '' ? '(empty)' : text;
  return {
    call: { ...call, action, result, ...(isError === true && { isError }) },
    changesFiles: ['edit', 'create', 'rename', 'delete', 'command', 'tool'].includes(action.kind),
    ...(edit !== undefined && { edit }),
  };
}

function failed(call: ToolCallView, action: RunAction, message: string): DoneCall {
  const note = action.note ?? (action.state === 'failed' ? firstLine(message) : undefined);
  return {
    call: { ...call, action: { ...action, ...defined({ note }) }, result: message, isError: true },
    changesFiles: false,
  };
}

/** @throws {ToolError} for arguments that are not JSON, such as those of an answer that reached its token limit. */
function parse(written: string): unknown {
  try {
    return JSON.parse(written === '' ? '{}' : written);
  } catch {
    throw new ToolError('The arguments are not valid JSON. They may have been cut off: write less in one call.');
  }
}
