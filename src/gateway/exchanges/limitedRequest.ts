import type { FormatName } from '../../formats/conversation.ts';
import { type AskedRequest, readLongRequest } from '../budgets/askedRequest.ts';
import { bytesWithCallLimit, CALL_LIMIT, withCallLimit } from '../budgets/modelTurns.ts';
import { bytesWithMembers, type OutputLimit, withOutputLimit } from '../budgets/outputLimit.ts';
import { findFormModel, hasOutput, isForm, isPassed } from '../core/passedEndpoint.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Upstream, UpstreamRequest } from '../core/upstream.ts';
import { isLong, nextTurn } from '../http/turns.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import type { Queues } from '../rateLimits/requestQueues.ts';
import type { Books } from './books.ts';

/** A request whose body was read, and the upstream that is to answer it. */
export interface LimitedRequest {
  readonly key: KeyDetails;
  readonly request: UpstreamRequest & Required<Pick<UpstreamRequest, 'body'>>;
  readonly upstream: Upstream;
  readonly books: Books;
  readonly queues: Queues;
  /** Whether the session of the request was ended while it waited. */
  readonly hasSessionEnded: () => boolean;
}

/** What is done with a long body takes a while, step by step. */
export async function turnFor({ request: { body } }: LimitedRequest): Promise<void> {
  if (isLong(body)) await nextTurn();
}

/** Returns the refusal if the form of a request is not allowed for a key with terms. */
export async function refusalOfForm(body: Buffer): Promise<Refusal | undefined> {
  const asked = await readLongRequest(body);
  return 'error' in asked ? asked : undefined;
}

/** Reads what decides about a request of a key with terms, whichever its endpoint. */
export async function readAsked(request: LimitedRequest['request']): Promise<AskedRequest | Refusal> {
  const { endpoint, headers, body } = request;
  if (!isPassed(endpoint)) return readLongRequest(body);
  const asked = isForm(headers) ? ofForm(findFormModel(body, headers)?.name) : await readLongRequest(body);
  if ('error' in asked) return asked;
  const answers = answersOf(asked.body);
  // One token stands for none, which would not be a limit.
  const limit = hasOutput(endpoint) ? {} : { max_tokens: 1 };
  return { ...asked, body: { ...asked.body, ...limit, ...(answers > 1 && { n: answers }) } };
}

function ofForm(model: string | undefined): AskedRequest | Refusal {
  if (model !== undefined) return { body: { model }, model, fallbacks: [], toolModels: [] };
  const message = 'The form must have exactly one field "model".';
  return { error: { kind: 'invalidRequest', status: 400, param: 'model', message } };
}

/** The older completions answer each of several prompts, and may generate more answers than they return. */
function answersOf({ n, best_of: bestOf, prompt }: AskedRequest['body']): number {
  const counts = [n, bestOf].filter((each): each is number => typeof each === 'number');
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
  return Math.max(1, ...counts) * Math.max(1, prompts);
}

/** What a budget demands of the request. */
export interface AddedLimits {
  /** How often the service may call its tools. */
  readonly calls?: number | undefined;
  readonly output?: OutputLimit | undefined;
}

/** Sets the limits in the bytes of the request, leaving all others unchanged. */
export function withLimits(
  request: UpstreamRequest,
  asked: AskedRequest,
  { calls, output }: AddedLimits,
  format: FormatName,
): UpstreamRequest {
  const { body } = request;
  if (body === undefined) return request;
  let sent = request;
  let json = asked.body;
  if (output !== undefined) {
    json = withOutputLimit(asked, output).body;
    sent = { ...sent, body: bytesWithMembers(body, output.members), json };
    const other = output.otherMembers;
    if (other !== undefined) {
      const [member = ''] = Object.keys(output.members);
      sent = { ...sent, addedLimit: { member, otherwise: bytesWithMembers(body, other) } };
    }
  }
  if (calls === undefined || sent.body === undefined) return sent;
  const withCalls = {
    ...sent,
    body: bytesWithCallLimit(sent.body, calls),
    json: withCallLimit({ ...asked, body: json }, calls).body,
  };
  // Only a stream shows the calls of an upstream that refuses the limit.
  if (format !== 'responses' || asked.body.stream !== true) return withCalls;
  return { ...withCalls, addedLimit: { member: CALL_LIMIT, otherwise: sent.body } };
}
