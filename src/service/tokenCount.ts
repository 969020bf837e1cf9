/** The response of `/messages/count_tokens`. */
import * as l10n from '@vscode/l10n';
import { readNumber } from './amount.ts';
import { Members } from './members.ts';
import { ServiceError } from './serviceError.ts';

export interface TokenCount {
  readonly inputTokens: number;
  /** The raw response. */
  readonly raw: unknown;
}

/** The specification shows no field; the first one is the vendor's. */
const NAMES = [
  'input_tokens',
  'usage.input_tokens',
  'data.input_tokens',
  'result.input_tokens',
  'prompt_tokens',
  'total_tokens',
  'token_count',
  'tokens',
  'count',
];

/** @throws {ServiceError} of kind `malformed` if the response contains no whole number of tokens. */
export function readTokenCount(body: unknown): TokenCount {
  const inputTokens = new Members(body).first(NAMES, (value) => {
    const count = readNumber(value);
    return count !== undefined && Number.isInteger(count) && count >= 0 ? count : undefined;
  });
  if (inputTokens !== undefined) return { inputTokens, raw: body };
  throw new ServiceError({
    kind: 'malformed',
    message: l10n.t('The service’s token count response contains no number of tokens.'),
  });
}
