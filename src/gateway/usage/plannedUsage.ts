import type { FormatName } from '../../formats/conversation.ts';
import { defined, isRecord, parseJson } from '../../formats/json.ts';
import { type ServerSentEvent, ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import type { OutputSpeeds } from '../../ledger/outputSpeeds.ts';
import type { UsageCount } from '../core/upstream.ts';
import { turnsAfter, type UsagePlan, withTurns } from '../core/usagePlan.ts';
import type { ReportedCount } from './usageReader.ts';

/** The most that a request can use. It grows while the service asks its model again, if the answer shows that. */
export class PlannedUsage {
  plan: UsagePlan | undefined;
  /** How fast models write, which bounds what was not reported. */
  speeds: OutputSpeeds | undefined;
  /** Called when the service asks its model more often than planned, after the turns were added to the plan. */
  onTurns: ((turns: number) => void) | undefined;
  #watch: TurnWatch | undefined;
  #calls = 0;

  /** @returns whether a stream that starts to pass unchanged must be read, because it may show further calls. */
  startWatch(format: FormatName): boolean {
    if (this.plan?.turns === undefined) return false;
    this.#watch = new TurnWatch(format);
    return true;
  }

  read(chunk: Buffer): void {
    if (this.#watch !== undefined) this.#add(this.#watch.push(chunk));
  }

  /** Removes the reserved turn after those that may have started, because the connection is closed before it. */
  leaveNextTurn(): void {
    if (this.plan !== undefined) this.plan = withTurns(this.plan, -1);
  }

  /**
   * Returns what counts for a complete usage that leaves something open, which counts as planned: the model that
   * answered, the number of web searches, and how much of the output was reasoning, if its price is higher.
   * @returns undefined if it leaves nothing open.
   */
  count({ usage, model, reportsSearches }: ReportedCount): UsageCount | undefined {
    // A reported amount includes all of it.
    if (usage.reportedCost !== undefined) return undefined;
    const { parts = {}, pricedModel: planned } = this.plan ?? {};
    const webSearches = reportsSearches === false ? parts.webSearches : undefined;
    const pricedModel = model === undefined ? planned : undefined;
    const isReasoningOpen = parts.reasoningTokens !== undefined && usage.reasoningTokens === undefined;
    const reasoningTokens = isReasoningOpen ? usage.outputTokens : undefined;
    if ([webSearches, pricedModel, reasoningTokens].every((open) => open === undefined)) return undefined;
    return {
      usage: { ...usage, ...defined({ webSearches, reasoningTokens }) },
      isEstimated: true,
      ...(webSearches !== undefined && { bound: 'reservation' as const }),
      ...defined({ model: model ?? pricedModel }),
    };
  }

  #add(calls: number): void {
    if (calls === 0 || this.plan?.turns === undefined) return;
    const before = turnsAfter(this.#calls, this.plan.turns);
    this.#calls += calls;
    const turns = turnsAfter(this.#calls, this.plan.turns) - before;
    if (turns === 0) return;
    this.plan = withTurns(this.plan, turns);
    this.onTurns?.(turns);
  }
}

/** How a stream shows a tool call of the model. */
interface CallEvent {
  readonly type: string;
  /** The member that contains the call. */
  readonly member: string;
  readonly isOfService: (type: string) => boolean;
}

/** Calls of tools that the caller runs. */
const CALLERS_CALLS = /^(?:function|custom_tool|local_shell|shell|apply_patch|computer)_call$/;

/** In the chat-completions format, calls of the service's tools are not visible. */
const CALL_EVENTS: Readonly<Partial<Record<FormatName, CallEvent>>> = {
  messages: {
    type: 'content_block_start',
    member: 'content_block',
    isOfService: (type) => type === 'server_tool_use' || type === 'mcp_tool_use',
  },
  responses: {
    type: 'response.output_item.added',
    member: 'item',
    isOfService: (type) => type.endsWith('_call') && !CALLERS_CALLS.test(type),
  },
};

/** Watches a passing stream for calls of the service's tools, after each of which the service asks the model again. */
class TurnWatch {
  #decoder = new ServerSentEventDecoder();
  readonly #call: CallEvent | undefined;

  constructor(format: FormatName) {
    this.#call = CALL_EVENTS[format];
  }

  /** @returns the number of calls that start in this piece of the stream. */
  push(piece: Buffer): number {
    const call = this.#call;
    if (call === undefined) return 0;
    return this.#decode(piece).filter(({ data }) => data.includes(call.type) && isCall(parseJson(data), call)).length;
  }

  /** Skips an event that is too long to be held, such as one with a picture. Those that show calls are short. */
  #decode(piece: Buffer): ServerSentEvent[] {
    try {
      return this.#decoder.push(piece);
    } catch {
      const complete = this.#decoder.end();
      this.#decoder = new ServerSentEventDecoder();
      return complete;
    }
  }
}

function isCall(event: unknown, { type, member, isOfService }: CallEvent): boolean {
  if (!isRecord(event) || event.type !== type) return false;
  const made = event[member];
  return isRecord(made) && made.execution !== 'client' && typeof made.type === 'string' && isOfService(made.type);
}
