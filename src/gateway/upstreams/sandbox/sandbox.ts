import type { ChatResponse } from '../../../formats/answer.ts';
import type { ChatRequest, FormatName } from '../../../formats/conversation.ts';
import { wireFormats } from '../../../formats/index.ts';
import type { JsonObject } from '../../../formats/json.ts';
import { catalog, findModel, type SandboxModel } from '../../../sandbox/catalog.ts';
import { type SandboxAnswer, usageOf } from '../../../sandbox/draft.ts';
import type { Course } from '../../../sandbox/faultNames.ts';
import { IdSource } from '../../../sandbox/ids.ts';
import { compose } from '../../../sandbox/model.ts';
import { RequestError } from '../../../sandbox/requestError.ts';
import { readTurn } from '../../../sandbox/turn.ts';
import { faultWord } from '../../../sandbox/words.ts';
import { estimateRequestTokens } from '../../../tokens/estimate.ts';
import { LaterCall } from '../../core/callHandle.ts';
import { ANSWERED, sendApiError } from '../../core/gatewayAnswer.ts';
import { isPassed } from '../../core/passedEndpoint.ts';
import { decodeSegment } from '../../core/route.ts';
import type { AnswerSink, Upstream, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { readLongJson } from '../../http/jsonBody.ts';
import { isLong } from '../../http/turns.ts';
import { Accounts } from './account.ts';
import { type Answer, delaySteps, jsonSteps, streamSteps, wholeSteps } from './answer.ts';
import { Conversations } from './conversations.ts';
import { Delivery, type Step } from './delivery.ts';
import { type Memory, SandboxExchange } from './exchange.ts';
import { FaultPlan, refusal, splitModelName } from './faults.ts';
import { PromptCache } from './promptCache.ts';
import { RateLimits } from './rateLimits.ts';
import { checkRequest, readCountRequest, readJson, readRequest } from './request.ts';
import type { SandboxSpending } from './spentFile.ts';

const ID_PREFIX = { 'chat-completions': 'chatcmpl-', messages: 'msg_', responses: 'resp_' } as const;

const SILENCE: SandboxAnswer = { parts: [], finishReason: 'stop' };
/** The sandbox's models have no real dates. A fixed date keeps answers equal. */
const CREATED = Date.UTC(2026, 0, 1) / 1000;

export interface SandboxOptions {
  /** US dollars of each account. Default: 25. */
  readonly credit?: number;
  /** Whether all local keys share one account. Default: each has its own. */
  readonly sharedCredit?: boolean;
  /** Keeps what the shared account has used. Default: in memory. */
  readonly spent?: SandboxSpending;
  /** Pause between the events of a stream, in milliseconds. Default: 12; 0 sends them without pauses. */
  readonly delayMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Makes the IDs of answers reproducible. */
  readonly idSeed?: string;
}

/** The whole service of the specification in memory, without network or real models: see `docs/sandbox.md`. */
export class Sandbox implements Upstream {
  readonly id = 'sandbox';
  /** Like the service. */
  readonly reportsUsage = 'onRequest';
  readonly #memory: Memory;
  #delayMs: number;

  constructor(options: SandboxOptions) {
    const { credit = 25, sharedCredit = false, spent, delayMs = 12, now = Date.now, idSeed } = options;
    this.#delayMs = delayMs;
    this.#memory = {
      accounts: new Accounts(credit, sharedCredit, spent),
      limits: new RateLimits(now),
      faults: new FaultPlan(),
      conversations: new Conversations(),
      cache: new PromptCache(),
      ids: new IdSource(idSeed),
      now,
    };
  }

  compacts(): boolean {
    return false;
  }

  send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const { body, json } = request;
    request.onSending?.();
    if (isPassed(request.endpoint) || request.endpoint === '/responses/') return refusePassed(request, sink);
    if (body === undefined || json !== undefined || !isLong(body)) return this.#deliver(request, sink);
    let readBody = (): unknown => undefined;
    const read = readLongJson(body).then(
      ({ value }) => {
        readBody = () => value;
      },
      (error: unknown) => {
        // The answer describes what is wrong with it, as with a short one.
        readBody = () => {
          throw error;
        };
      },
    );
    return new LaterCall(sink, read, () => this.#deliver(request, sink, readBody));
  }

  #deliver(request: UpstreamRequest, sink: AnswerSink, readBody = () => readJson(request)): UpstreamCall {
    return new Delivery(this.#answer(new SandboxExchange(request, this.#memory, readBody)), sink);
  }

  /** Sets the pause between the events of later streams, in milliseconds. */
  setDelay(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** There are no connections to close. */
  async close(): Promise<void> {
    return;
  }

  *#answer(exchange: SandboxExchange): Generator<Step, void> {
    this.#memory.limits.countRequest(exchange.request.localKeyId);
    let steps: Generator<Step, void>;
    try {
      steps = this.#route(exchange);
    } catch (thrown) {
      if (!(thrown instanceof RequestError)) throw thrown;
      steps = refuse(exchange, thrown);
    }
    yield* steps;
  }

  #route(exchange: SandboxExchange): Generator<Step, void> {
    const { endpoint, subpath } = exchange.request;
    switch (endpoint) {
      case '/models':
        return showModels(exchange, subpath);
      case '/balance':
        return show(exchange, exchange.account.balance(), exchange.fault(undefined, ''));
      case '/messages/count_tokens':
        return countTokens(exchange);
      default:
        return generate(exchange, this.#memory, this.#delayMs);
    }
  }
}

/** The sandbox has language models only. */
function refusePassed({ endpoint, callerFormat }: UpstreamRequest, sink: AnswerSink): UpstreamCall {
  const message = `The sandbox does not simulate ${endpoint}. Connect an upstream that offers the model.`;
  sendApiError(sink, wireFormats[callerFormat], { kind: 'notFound', status: 404, code: 'not_found', message });
  return ANSWERED;
}

function showModels(exchange: SandboxExchange, subpath: string): Generator<Step, void> {
  const course = exchange.fault(undefined, '');
  const { name } = exchange.format;
  return show(exchange, subpath.length > 1 ? singleModel(subpath, name) : modelList(name), course);
}

/** Counting is free, so it also works without credit. */
function countTokens(exchange: SandboxExchange): Generator<Step, void> {
  const request = readCountRequest(exchange.readBody, exchange.request.headers);
  const { id, word } = splitModelName(request.model);
  modelNamed(id);
  return show(exchange, { input_tokens: estimateRequestTokens(request) }, exchange.fault(word, id));
}

function* show(exchange: SandboxExchange, body: unknown, course: Course | undefined): Generator<Step, void> {
  yield* delaySteps(course);
  yield* jsonSteps(200, exchange.headers(), body, course);
}

function refuse(exchange: SandboxExchange, thrown: RequestError): Generator<Step, void> {
  const { status, body } = exchange.format.encodeError({ ...thrown.error, requestId: exchange.requestId });
  return jsonSteps(status, { ...exchange.headers(), ...thrown.headers }, body);
}

interface Accepted {
  /** As sent by the client. Formats repeat it in their answers. */
  readonly asked: ChatRequest;
  /** Including the conversation that it continues. */
  readonly whole: ChatRequest;
  readonly model: SandboxModel;
  readonly inputTokens: number;
  readonly course: Course | undefined;
}

/**
 * @param paceMs pause before each event of a stream.
 * @throws {RequestError} if the request is refused.
 */
function generate(exchange: SandboxExchange, memory: Memory, paceMs: number): Generator<Step, void> {
  const accepted = accept(exchange, memory);
  const { asked, inputTokens } = accepted;
  const { format } = exchange;
  const context = { request: asked, now: Math.floor(memory.now() / 1000), inputTokens };
  const answer = answerTo(accepted, exchange, memory);
  return asked.stream === true
    ? streamSteps(answer, format.createStreamEncoder(context), paceMs)
    : wholeSteps(answer, format.encodeResponse(answer.response, context));
}

function accept(exchange: SandboxExchange, memory: Memory): Accepted {
  const { request, format, account } = exchange;
  const given = readRequest(format, exchange.readBody, exchange.request.headers);
  const { id, word } = splitModelName(given.model);
  const model = modelNamed(id);
  const course = exchange.fault(word ?? askedFault(given), id);
  if (course === 'error-event' && given.stream !== true) throw refusal('server-error');
  if (account.state === 'exhausted') throw usedUp();
  const asked = { ...given, model: id };
  const whole = memory.conversations.extend(asked, request.localKeyId);
  const inputTokens = estimateRequestTokens(whole);
  checkRequest(whole, model, inputTokens);
  return { asked, whole, model, inputTokens, course };
}

/** A fault that the user's question asks for, which is not sent again with the results of tools. */
function askedFault(request: ChatRequest): string | undefined {
  const { question, results } = readTurn(request);
  return results.length > 0 ? undefined : faultWord(question);
}

function answerTo(accepted: Accepted, exchange: SandboxExchange, memory: Memory): Answer {
  const { asked, whole, model, inputTokens, course } = accepted;
  const { format, request, account } = exchange;
  const { localKeyId } = request;
  const draft =
    course === 'empty' ? SILENCE : compose({ request: whole, model, inputTokens, format: format.name }, memory.ids);
  const cached = memory.cache.use({ request: whole, format: format.name, localKeyId, inputTokens }, memory.now());
  const usage = { ...usageOf(draft, inputTokens), ...cached };
  const id = memory.ids.next(ID_PREFIX[format.name]);
  const { isPrepared = false, ...content } = draft;
  const createdAt = Math.floor(memory.now() / 1000);
  const response: ChatResponse = { id, model: model.id, createdAt, ...content, usage };
  const settle: Answer['settle'] = (used, complete) => {
    account.charge(used, model.price);
    memory.limits.countTokens(localKeyId, used.inputTokens + used.outputTokens);
    if (!complete || format.name !== 'responses' || asked.store === false) return;
    memory.conversations.remember(id, localKeyId, whole, draft.parts, request.body?.length ?? 0);
  };
  return { response, isPrepared, usage, headers: exchange.headers(), course, settle };
}

function usedUp(): RequestError {
  const message =
    'The credit of this key is used up in the sandbox. In the editor, choose Start Again in the sandbox’s menu; elsewhere, restart the gateway.';
  return new RequestError({ kind: 'credit', status: 402, message });
}

function modelList(format: FormatName): JsonObject {
  const data = catalog.map((model) => modelEntry(model, format));
  if (format !== 'messages') return { object: 'list', data };
  return { data, has_more: false, first_id: catalog[0]?.id ?? null, last_id: catalog.at(-1)?.id ?? null };
}

/**
 * @param subpath `/{id}`, as in the URL.
 * @throws {RequestError} if there is no such model.
 */
function singleModel(subpath: string, format: FormatName): JsonObject {
  return modelEntry(modelNamed(decodeSegment(subpath.slice(1))), format);
}

/** @throws {RequestError} if the catalog has no such model. */
function modelNamed(id: string): SandboxModel {
  const model = findModel(id);
  if (model !== undefined) return model;
  const message = `There is no model "${id}". GET /models lists the available models.`;
  throw new RequestError({ kind: 'notFound', status: 404, message, code: 'model_not_found', param: 'model' });
}

/** Both formats have the same additional fields. Prices are US dollars per million tokens. */
function modelEntry({ id, family, ...model }: SandboxModel, format: FormatName): JsonObject {
  const further = {
    family,
    context_window: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    pricing: { input: model.price.input, output: model.price.output, currency: 'USD', per_tokens: 1_000_000 },
    capabilities: { ...model.capabilities },
    sandbox: true,
  };
  return format === 'messages'
    ? { type: 'model', id, display_name: id, created_at: new Date(CREATED * 1000).toISOString(), ...further }
    : { id, object: 'model', created: CREATED, owned_by: 'sandbox', ...further };
}
