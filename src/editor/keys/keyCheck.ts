import * as l10n from '@vscode/l10n';
import { errorText } from '../../display/errors.ts';
import { ApiClient } from '../../service/apiClient.ts';
import type { ApiKey } from '../../service/apiKey.ts';
import { baseAddressCandidates, normalizeBaseAddress } from '../../service/baseAddress.ts';
import { ServiceError } from '../../service/serviceError.ts';

export type KeyField = 'key' | 'address';

/** A check that failed because of one of the fields. */
export interface FailedCheck {
  readonly kind: 'failed';
  readonly wrong: KeyField;
  readonly error: unknown;
}

export type KeyCheck =
  /** The base address may have `/api/v1` appended to the one that was entered. */
  { readonly kind: 'answered'; readonly baseAddress: string } | FailedCheck;

/** Reads the catalog and the balance with the key. Returns undefined if it was aborted. */
export async function checkKey(address: string, key: ApiKey, signal: AbortSignal): Promise<KeyCheck | undefined> {
  try {
    return { kind: 'answered', baseAddress: await firstThatAnswers(address, key, signal) };
  } catch (error) {
    if (signal.aborted) return undefined;
    const cause = error instanceof Error ? error.cause : undefined;
    return { kind: 'failed', wrong: isRefusal(cause) ? 'key' : 'address', error };
  }
}

/** Tries the address as entered and, if it lacks the usual path, with `/api/v1` appended. */
async function firstThatAnswers(text: string, key: ApiKey, signal: AbortSignal): Promise<string> {
  const parsed = normalizeBaseAddress(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  let firstFailure: unknown;
  for (const baseAddress of baseAddressCandidates(text)) {
    const client = new ApiClient({ baseAddress, key, fetch: (input, init) => globalThis.fetch(input, init) });
    try {
      await step(l10n.t('Could not read the model catalog'), client.models({ signal, retries: 0 }));
      await step(l10n.t('Could not read the balance'), client.balance({ signal, retries: 0 }));
      return baseAddress;
    } catch (error) {
      signal.throwIfAborted();
      if (!isWrongAddress(error)) throw error;
      firstFailure ??= error;
    }
  }
  throw firstFailure;
}

/** Adds to an error which of the requests failed. */
async function step(failed: string, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    const what = isRefusal(error) ? l10n.t('The service rejected the key') : failed;
    throw new Error(`${what}: ${errorText(error)}`, { cause: error });
  }
}

/** Whether the service answered but rejected the key. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === 'authentication' || error.kind === 'permission');
}

/** Whether the answer was not from the service's API. Another path may be the right one. */
function isWrongAddress(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ServiceError && (cause.kind === 'notFound' || cause.kind === 'malformed');
}
