/** Why an answer is not passed on, whatever it says. */
import type { ApiError } from '../../formats/apiError.ts';

/** Services that are at work say so every few seconds, and each time the wait for the answer begins anew. */
export const MAX_INTERIM = 200;

export const TOO_MANY_INTERIM: ApiError = {
  kind: 'malformed',
  status: 502,
  message: `The service sent more than ${MAX_INTERIM} interim responses and no answer.`,
};

export function unknownEncodingError(encoding: string): ApiError {
  return {
    kind: 'malformed',
    status: 502,
    message: `The answer uses the unknown content encoding ${encoding.slice(0, 40)}, so it cannot be searched for the service key.`,
  };
}

export function redirectError(origin: string, status: number, location: string | undefined): ApiError {
  const target = location === undefined ? null : URL.parse(location, origin);
  const leadsTo = target === null ? '' : ` to ${target.origin}`;
  return {
    kind: 'network',
    status: 502,
    message: `The service at ${origin} redirects (${status})${leadsTo}. The gateway does not send the key to another address. Set the base address to the address of the service.`,
  };
}
