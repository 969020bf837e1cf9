/** Reasons for which an answer is not passed on, independently of its content. */
import type { ApiError } from '../../formats/apiError.ts';

/**
 * Services that are still processing send an interim response every few seconds, each of which restarts the timeout.
 */
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
    message: `The answer has the content encoding ${encoding.slice(0, 40)}, which the gateway cannot read and did not ask for.`,
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
