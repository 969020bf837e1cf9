import { type ApiError, FormatError } from '../../formats/apiError.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { wireFormats } from '../../formats/index.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { readJsonBody } from '../http/jsonBody.ts';
import { type FindItem, withReferencedItems } from './itemReferences.ts';
import { findModel, type ModelPlace, renameModel } from './modelName.ts';
import { checkLimits } from './requestLimits.ts';
import type { UpstreamRequest } from './upstream.ts';

const NOTHING_STORED: FindItem = () => undefined;

/** A request that was read, in the terms of no format. */
export interface DecodedRequest {
  readonly format: WireFormat;
  readonly request: ChatRequest;
  /** Whether the first of the system's parts is the responses format's `instructions`. */
  readonly hasInstructions: boolean;
  readonly bytes: number;
}

/** A request of the caller, read only as far as somebody needs it. */
export class CallerRequest {
  readonly original: UpstreamRequest;
  readonly format: WireFormat;
  readonly #place: ModelPlace | undefined;
  #decoded: DecodedRequest | ApiError | undefined;

  constructor(original: UpstreamRequest) {
    this.original = original;
    this.format = wireFormats[original.callerFormat];
    this.#place = findModel(this.#body);
  }

  get model(): string | undefined {
    return this.#place?.name;
  }

  /** The request as it came, but for the name of its model. */
  renamed(model: string): UpstreamRequest {
    if (this.#place === undefined) return this.original;
    const { json: _, ...original } = this.original;
    return { ...original, body: renameModel(this.#body, this.#place, model) };
  }

  /** What the request says, or what is wrong with it. `findItem` gives the items that it refers to. */
  decoded(findItem: FindItem = NOTHING_STORED): DecodedRequest | ApiError {
    this.#decoded ??= this.#decode(findItem);
    return this.#decoded;
  }

  #decode(findItem: FindItem): DecodedRequest | ApiError {
    try {
      const body = this.original.json ?? readJsonBody(this.#body);
      const request = this.format.decodeRequest(withReferencedItems(body, findItem));
      checkLimits(request);
      return { format: this.format, request, hasInstructions: hasInstructions(body), bytes: this.#body.length };
    } catch (error) {
      if (error instanceof FormatError) return invalid(error.message, error.path);
      throw error;
    }
  }

  get #body(): Uint8Array {
    return this.original.body ?? new Uint8Array();
  }
}

export function invalid(message: string, param?: string): ApiError {
  return { kind: 'invalidRequest', status: 400, message, ...(param && { param }) };
}

function hasInstructions(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'instructions' in body && Boolean(body.instructions);
}
