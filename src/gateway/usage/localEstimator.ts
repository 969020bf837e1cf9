import { FormatError } from '../../formats/apiError.ts';
import { wireFormats } from '../../formats/index.ts';
import { estimateInputTokens, estimateTokens } from '../../tokens/estimate.ts';
import { answerText } from '../core/answerText.ts';
import { callerFormat } from '../core/route.ts';
import {
  BYTES_PER_TOKEN,
  type UncountedAnswer,
  type UncountedRequest,
  type UsageEstimator,
} from '../core/usageEstimator.ts';
import { readJsonBody } from '../http/jsonBody.ts';

/** Estimates without a tokenizer. */
export const LOCAL_ESTIMATOR: UsageEstimator = {
  input: async (request) => estimatedInput(request),
  output: async (answer) => estimatedOutput(answer),
};

export function estimatedOutput(answer: Pick<UncountedAnswer, 'format' | 'isStream' | 'bytes'>): number {
  return estimateTokens(answerText(answer));
}

function estimatedInput({ endpoint, body }: UncountedRequest): number {
  try {
    return estimateInputTokens(wireFormats[callerFormat(endpoint, {})].decodeRequest(readJsonBody(body)));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return Math.ceil(body.length / BYTES_PER_TOKEN);
  }
}
