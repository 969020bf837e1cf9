/**
 * Arbitrary requests, answers, and streams in the neutral form, for properties such as decode(encode(x)) = x. `Carried`
 * defines what a format supports; only that is generated.
 */
export { chatEvents, chatResponse } from './conversations/answers.ts';
export type { Carried } from './conversations/carried.ts';
export { withDetails } from './conversations/details.ts';
export { chatRequest } from './conversations/requests.ts';
export { hostedTools, jsonSchema, members, word } from './conversations/values.ts';
