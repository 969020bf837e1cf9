import { FormatError } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { estimateInputTokens } from '../../tokens/estimate.ts';
import { type AskedRequest, goesOn } from './askedRequest.ts';

/** What is taken for the part of a prompt that the service keeps and nobody here knows. */
const KEPT_CONVERSATION_TOKENS = 32_000;
/** Of a body that cannot be understood: JSON has about three bytes for a token. */
const BYTES_PER_TOKEN = 3;

/** Input tokens of a request, sized up before it is sent. */
export function estimateInput(asked: AskedRequest, bytes: number, format: WireFormat): number {
  return estimateBody(asked, bytes, format) + (goesOn(asked) ? KEPT_CONVERSATION_TOKENS : 0);
}

function estimateBody({ body }: AskedRequest, bytes: number, format: WireFormat): number {
  try {
    return estimateInputTokens(format.decodeRequest(body));
  } catch (error) {
    // What we do not understand an upstream may.
    if (!(error instanceof FormatError)) throw error;
    return Math.ceil(bytes / BYTES_PER_TOKEN);
  }
}
