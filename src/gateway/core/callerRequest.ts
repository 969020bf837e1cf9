import { type ApiError, FormatError } from '../../formats/apiError.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { wireFormats } from '../../formats/index.ts';
import { isRecord, lengthUpTo, parseJson } from '../../formats/json.ts';
import { inVersion } from '../../formats/messages/index.ts';
import type { ResponsesItem } from '../../formats/responses/index.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { readJsonBody, readLongJson, shortObject } from '../http/jsonBody.ts';
import { readShortJson, type ShortJson } from '../http/longJson.ts';
import type { LongTexts } from '../http/longTexts.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import { isHuge, isLong } from '../http/turns.ts';
import { type ModelPlace, modelPlace, renameModel } from './modelName.ts';
import { FORM_ENDPOINTS, findFormModel, isForm, renameFormModel } from './passedEndpoint.ts';
import { checkLimits } from './requestLimits.ts';
import {
  type ContinuableConversation,
  type FoundResponses,
  MAX_RECALLED,
  type ResponseReferences,
} from './responseStore.ts';
import type { UpstreamRequest } from './upstream.ts';

const TOO_MUCH_RECALLED =
  'The earlier answers that the request names have more than 32 MB. Send a shorter conversation as input.';
const NOTHING_FOUND: FoundResponses = { items: new Map() };

export interface DecodedRequest {
  readonly format: WireFormat;
  readonly request: ChatRequest;
  /** Whether the first of the system's parts comes from `instructions` of the Responses format. */
  readonly hasInstructions: boolean;
  readonly bytes: number;
  /** The conversation that the request continues, if it is still stored. */
  readonly earlier?: ContinuableConversation;
  /** The long texts of the conversation, of which `request` contains only references. */
  readonly texts?: LongTexts;
}

/** A request of the caller. Parsed and decoded only when needed. */
export class CallerRequest {
  readonly original: UpstreamRequest;
  readonly format: WireFormat;
  readonly model: string | undefined;
  /** Whether the body must be read in steps before it is decoded. */
  readonly isLong: boolean;
  /** Whether even a walk over its bytes takes long. */
  readonly isHuge: boolean;
  readonly #body: Buffer;
  readonly #isForm: boolean;
  readonly #place: ModelPlace | undefined;
  #json: unknown;
  #short: ShortJson | undefined;
  #found = NOTHING_FOUND;
  #recallsTooMuch = false;
  #decoded: DecodedRequest | ApiError | undefined;

  constructor(original: UpstreamRequest) {
    this.original = original;
    this.format = wireFormats[original.callerFormat];
    this.#body = original.body ?? Buffer.alloc(0);
    this.#isForm = FORM_ENDPOINTS.has(original.endpoint) && isForm(original.headers);
    this.#place = this.#isForm ? findFormModel(this.#body, original.headers) : modelPlace(this.#body);
    this.model = this.#place?.name ?? original.streamedModel;
    this.isLong = isLong(this.#body);
    this.isHuge = this.isLong && isHuge(this.#body);
  }

  get asksForStream(): boolean {
    return this.#member('stream') === true;
  }

  /** Whether the answer and its conversation are stored for later requests. The default of the format is that they are. */
  get #isStored(): boolean {
    return this.format.name === 'responses' && this.#member('store') !== false;
  }

  /** Returns a member with a short value, without parsing a long body. */
  #member(name: string): unknown {
    const { json } = this.original;
    const body = isRecord(json) ? json : shortObject(this.#body);
    if (body !== undefined) return body[name];
    const scanner = new ObjectScanner(new Set([name]));
    scanner.push(this.#body);
    return parseJson(scanner.values.get(name) ?? '');
  }

  /** Returns the original request with its parsed body, if it was parsed. */
  get withJson(): UpstreamRequest {
    return this.#json === undefined ? this.original : { ...this.original, json: this.#json };
  }

  renamed(model: string): UpstreamRequest {
    if (this.#place === undefined || this.#place.name === model) return this.original;
    const { json: _, ...original } = this.original;
    const rename = this.#isForm ? renameFormModel : renameModel;
    return { ...original, body: rename(this.#body, this.#place, model) };
  }

  /**
   * The earlier answers that the body names, to be found before it is decoded. An invalid body is reported by
   * {@link decoded}.
   */
  get references(): ResponseReferences | undefined {
    if (this.format.name !== 'responses') return undefined;
    try {
      return referencesOf(this.#parsed);
    } catch (error) {
      if (error instanceof FormatError) return undefined;
      throw error;
    }
  }

  /** Adds what was found for `references`, which takes memory like a part of the body. */
  recall(found: FoundResponses): void {
    const { conversation, items, isTooLong = false } = found;
    const length = lengthUpTo([conversation, ...items.values()], MAX_RECALLED);
    this.#recallsTooMuch = isTooLong || length > MAX_RECALLED;
    if (this.#recallsTooMuch || this.original.memory?.body(this.#body.length + length) === false) return;
    this.#found = found;
  }

  get continuesStoredAnswer(): boolean {
    return this.#found.conversation !== undefined;
  }

  /** Parses a long body in steps. Returns the error if it is invalid. */
  async read(): Promise<ApiError | undefined> {
    try {
      this.#json ??= this.original.json;
      // A conversation is stored with its texts.
      if (this.#json === undefined && !this.#isStored) this.#short = await readShortJson(this.#body);
      if (this.#short === undefined) this.#json ??= (await readLongJson(this.#body)).value;
      return undefined;
    } catch (error) {
      return invalidOf(error);
    }
  }

  /** Returns the decoded request, or the error if the body is invalid. */
  decoded(): DecodedRequest | ApiError {
    this.#decoded ??= this.#decode();
    return this.#decoded;
  }

  #decode(): DecodedRequest | ApiError {
    const { conversation: earlier, items } = this.#found;
    const { format, original } = this;
    try {
      if (this.#recallsTooMuch) throw new FormatError(TOO_MUCH_RECALLED, 'previous_response_id');
      const body = this.#parsed;
      const request = format.decodeRequest(withReferencedItems(body, items));
      checkLimits(request);
      return {
        format,
        request: format.name === 'messages' ? inVersion(request, original.headers) : request,
        hasInstructions: hasInstructions(body),
        bytes: this.#body.length,
        ...(earlier !== undefined && { earlier }),
        ...(this.#short !== undefined && { texts: this.#short.texts }),
      };
    } catch (error) {
      return invalidOf(error);
    }
  }

  /** @throws {FormatError} like `readJsonBody`. */
  get #parsed(): unknown {
    if (this.#short !== undefined) return this.#short.value;
    this.#json ??= this.original.json ?? readJsonBody(this.#body);
    return this.#json;
  }
}

/**
 * Returns the error for a request that is not valid.
 *
 * @throws what is no {@link FormatError}.
 */
export function invalidOf(error: unknown): ApiError {
  if (error instanceof FormatError) return invalid(error.message, error.path);
  throw error;
}

export function invalid(message: string, param?: string): ApiError {
  return { kind: 'invalidRequest', status: 400, message, ...(param && { param }) };
}

function hasInstructions(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'instructions' in body && Boolean(body.instructions);
}

/** Returns the references to earlier answers in a Responses body, or `undefined` if there are none. */
function referencesOf(body: unknown): ResponseReferences | undefined {
  if (!isRecord(body)) return undefined;
  const { previous_response_id: previous, input } = body;
  const itemIds = Array.isArray(input) ? input.map(referenced).filter((id) => id !== undefined) : [];
  if (typeof previous === 'string') return { previousResponseId: previous, itemIds };
  return itemIds.length === 0 ? undefined : { itemIds };
}

/**
 * Returns the body with the referenced items. References to unknown items stay unchanged.
 * @throws {FormatError} if an item is referenced twice: a short request could name a long one many thousand times.
 */
function withReferencedItems(body: unknown, items: ReadonlyMap<string, ResponsesItem>): unknown {
  if (items.size === 0 || !isRecord(body) || !Array.isArray(body.input)) return body;
  const input: unknown[] = body.input;
  const used = new Set<string>();
  const itemOf = (reference: unknown) => {
    const id = referenced(reference);
    const item = id === undefined ? undefined : items.get(id);
    if (id === undefined || item === undefined) return reference;
    if (used.has(id)) throw new FormatError(`input: The item "${id}" is referenced more than once.`, 'input');
    used.add(id);
    return item;
  };
  return { ...body, input: input.map(itemOf) };
}

/** The type is optional. */
function referenced(item: unknown): string | undefined {
  if (!isRecord(item) || typeof item.id !== 'string') return undefined;
  const isReference = item.type === 'item_reference' || (item.type ?? null) === null;
  return isReference && !('role' in item) ? item.id : undefined;
}
