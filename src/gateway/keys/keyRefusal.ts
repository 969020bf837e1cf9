import type { Refusal } from '../core/refusal.ts';
import type { KeyDetails } from './issuedKey.ts';

export function expired({ name, expiresAt = 0 }: KeyDetails): Refusal {
  return {
    error: {
      kind: 'authentication',
      status: 401,
      message: `The local key "${name}" expired on ${new Date(expiresAt).toISOString()}. Create a new one in the editor.`,
    },
    headers: { 'www-authenticate': 'Bearer' },
    reason: 'an expired local key',
  };
}

/** Ends the running requests of a key that is revoked or rotated, or that expires. */
export const KEY_CLOSED: Refusal = {
  error: {
    kind: 'authentication',
    status: 401,
    message:
      'The local key of this request no longer grants access to the gateway: it was revoked or rotated, or it has expired.',
  },
  headers: { 'www-authenticate': 'Bearer' },
};

export function modelNotAllowed({ name, models = [] }: KeyDetails, model: string): Refusal {
  return {
    error: {
      kind: 'permission',
      status: 403,
      message: `The local key "${name}" cannot use the model "${model}". It can use: ${models.join(', ')}.`,
    },
  };
}

/** The request names no model, but the key has a list of models or a budget. */
export function modelUnknown({ name, models }: KeyDetails): Refusal {
  const explanation =
    models === undefined
      ? `and the local key "${name}" has a budget.`
      : `and the local key "${name}" can use only: ${models.join(', ')}.`;
  return {
    error: {
      kind: 'invalidRequest',
      status: 400,
      message: `The request specifies no model, ${explanation}`,
      param: 'model',
    },
  };
}
