/** The headers in which an answer tells what was found in its request: how many secrets were replaced, and their kinds. */
export const SEALED_HEADER = 'x-model-access-sealed';
export const KINDS_HEADER = 'x-model-access-secrets';
