import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { CallTimes } from '../../calls/callTimes.ts';
import { strictJson } from '../../formats/json.ts';
import { bestMatch } from '../../gateway/core/modelPattern.ts';
import { resolveEntry } from '../../gateway/routing/resolvedEntry.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import { maxCost } from '../../limits/maxCost.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { networkError } from '../../service/networkFailure.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { fillInParts, fillInRequest } from '../../suggestions/fillIn.ts';
import { type Hole, maxTokensAt, requestFor } from '../../suggestions/prompt.ts';
import type { SuggestionModel } from '../../suggestions/suggestionModel.ts';
import type { SuggestionForm } from '../../suggestions/text/answerText.ts';
import { SuggestionReader } from '../../suggestions/text/suggestion.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import { type WorkBranch, workBranch } from '../git/workBranch.ts';
import type { SuggestionServices } from './suggestionServices.ts';

type SourceServices = Pick<SuggestionServices, 'connection' | 'settings' | 'limits' | 'calls' | 'upstreamKeys'>;

export interface AnswerPart {
  readonly text: string;
  /** Whether the answer has ended because it was too long. */
  readonly isCut?: boolean;
}

/** How the model answers. */
export function answerForm(model: SuggestionModel): SuggestionForm {
  if (model.kind === 'chat') return { isFilledIn: false, markers: [] };
  const { fillIn } = model.upstream;
  return { isFilledIn: true, markers: typeof fillIn === 'object' ? Object.values(fillIn) : [] };
}

/**
 * Asks the model. The call is entered in the ledger when it has ended, or its reader stops reading.
 * @throws {ServiceError} if the request fails, the signal's reason, or an error that says which limit is reached.
 */
export function askModel(
  services: SourceServices,
  model: SuggestionModel,
  hole: Hole,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart, void> {
  return model.kind === 'chat' ? askChat(services, model, hole, signal) : askToFillIn(services, model, hole, signal);
}

/**
 * Whether the answer of the sandbox would be shown. It is computed here, so that nothing is charged that shows nothing.
 */
export async function sandboxSuggests(model: SuggestionModel, hole: Hole): Promise<boolean> {
  const { suggestInline } = await import('../../sandbox/inlineSuggestion.ts');
  const reader = new SuggestionReader(hole.place, answerForm(model));
  reader.push(suggestInline(requestFor(hole, model.id, false)) ?? '');
  return reader.end(false) !== undefined;
}

async function* askChat(
  { connection, settings, limits, calls }: SourceServices,
  { id, model }: Extract<SuggestionModel, { kind: 'chat' }>,
  hole: Hole,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart, void> {
  const { open } = connection;
  if (open === undefined) throw new Error(l10n.t('Model Access has no service key. Set one or use the sandbox.'));
  const request = requestFor(hole, id, model?.reasoning === true);
  const settle = await limits.admit(async () => (model === undefined ? 0 : maxCost(request, model)));
  try {
    const call = { connection: open, format: settings.chatFormat, request, source: 'inlineSuggestion' } as const;
    // Typing goes on, so a later attempt would be too late.
    for await (const event of calls.chat({ ...call, options: { signal, retries: 0 } })) {
      if (event.type === 'error') throw new ServiceError(event.error);
      if (event.type === 'textDelta') yield { text: event.text };
      if (event.type === 'finish') yield { text: '', isCut: event.reason === 'length' };
    }
  } finally {
    settle();
  }
}

type FillInModel = Extract<SuggestionModel, { kind: 'fillIn' }>;

async function* askToFillIn(
  services: SourceServices,
  model: FillInModel,
  hole: Hole,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart, void> {
  const call = new FillInCall(model, hole, workBranch(services.settings));
  try {
    const response = await send(services, model, hole, signal);
    call.answered(response.status);
    if (!response.ok) throw await failureOf(response);
    for await (const part of fillInParts(response)) {
      call.see(part.text, part.usage);
      yield part;
    }
    call.end = 'completed';
  } catch (error) {
    if (!signal.aborted) call.end = 'upstreamFailed';
    throw signal.aborted || error instanceof ServiceError ? error : networkError(error, hostOf(model));
  } finally {
    services.calls.enter(call.entry());
  }
}

async function send(
  { upstreamKeys }: SourceServices,
  { id, upstream }: FillInModel,
  hole: Hole,
  signal: AbortSignal,
): Promise<Response> {
  const { settings } = resolveEntry(upstream, process.env);
  const { url, body } = fillInRequest(settings.baseUrl, upstream.fillIn ?? 'suffix', id, hole, maxTokensAt(hole.place));
  const [secret] = [upstream.secret ?? []].flat();
  const key = secret === undefined ? undefined : await upstreamKeys.read(secret);
  const auth = upstream.auth ?? 'bearer';
  const address = new URL(url);
  for (const [name, value] of Object.entries(upstream.query ?? {})) address.searchParams.set(name, value);
  return fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...settings.headers,
      ...(key !== undefined && auth === 'bearer' && { authorization: `Bearer ${key}` }),
      ...(key !== undefined && auth !== 'bearer' && auth !== 'none' && { [auth]: key }),
    },
    body: strictJson(body),
    // A redirect could send the key to another host.
    redirect: 'manual',
    signal,
  });
}

async function failureOf(response: Response): Promise<ServiceError> {
  return ServiceError.fromResponse(response.status, response.headers, (await response.text()).slice(0, 65_536));
}

function hostOf({ upstream }: FillInModel): string {
  return URL.parse(upstream.baseUrl)?.host ?? upstream.baseUrl;
}

/** What the ledger keeps of a request to an upstream that fills in text. */
class FillInCall {
  readonly #model: FillInModel;
  readonly #hole: Hole;
  readonly #workBranch: WorkBranch | undefined;
  readonly #times = new CallTimes();
  readonly #at = Date.now();
  #status: number | undefined;
  #text = '';
  #reported: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  end: LedgerEntry['end'] = 'clientLeft';

  constructor(model: FillInModel, hole: Hole, branch: WorkBranch | undefined) {
    this.#model = model;
    this.#hole = hole;
    this.#workBranch = branch;
  }

  answered(status: number): void {
    this.#status = status;
  }

  see(text: string, usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined): void {
    this.#text += text;
    this.#reported = usage ?? this.#reported;
    this.#times.see({ type: 'textDelta', index: 0, text });
  }

  entry(): LedgerEntry {
    this.#times.end();
    const { durationMs, firstByteMs } = this.#times;
    const { id: model, upstream } = this.#model;
    const prices = pricesOf(this.#model);
    const isBilled = this.#status !== undefined && this.#status < 400;
    return {
      id: randomUUID(),
      at: this.#at,
      source: 'inlineSuggestion',
      ...this.#workBranch,
      endpoint: '/completions',
      upstream: upstream.id,
      model,
      durationMs,
      end: this.end,
      ...(this.#status !== undefined && { status: this.#status }),
      ...(firstByteMs !== undefined && { firstByteMs }),
      ...(isBilled && this.#usage()),
      ...(prices !== undefined && { prices }),
    };
  }

  #usage(): Pick<LedgerEntry, 'usage' | 'usageIsEstimated' | 'usageBound'> {
    if (this.#reported !== undefined) return { usage: this.#reported, usageBound: 'reported' };
    const { place, related } = this.#hole;
    const input = place.before + place.after + related.map(({ text }) => text).join('\n');
    const usage = { inputTokens: estimateTokens(input), outputTokens: estimateTokens(this.#text) };
    return { usage, usageIsEstimated: true, usageBound: 'visible' };
  }
}

function pricesOf({ id, upstream }: FillInModel): Prices | undefined {
  const { prices = {} } = resolveEntry(upstream, process.env).settings;
  return bestMatch(prices, id);
}
