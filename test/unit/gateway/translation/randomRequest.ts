/** Random requests with what clients of all formats send, also in orders and forms that services refuse. */
import * as fc from 'fast-check';
import type {
  AssistantPart,
  ChatRequest,
  FormatName,
  Message,
  UserPart,
} from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { JsonObject } from '../../../../src/formats/json.ts';

const texts = fc.constantFrom('Look.', 'One more ', ' ', '', 'Grüße 🙂\n');
const ids = fc.constantFrom('call_1', 'call_2', 'a.b:c', 'a_b:c', `call_${'x'.repeat(80)}`);
const cacheHint = fc.constantFrom({}, { ttl: '5m' }, { ttl: '1h' });
const text = fc.record(
  { type: fc.constant('text' as const), text: texts, cacheHint },
  { requiredKeys: ['type', 'text'] },
);
const document = fc
  .constantFrom('application/json', 'application/xml', 'text/csv', 'application/x-yaml', 'application/pdf')
  .map((mediaType) => ({
    type: 'document' as const,
    name: 'file',
    source: { kind: 'base64' as const, mediaType, data: btoa('{"a": 1}') },
  }));
/** As servers of tools describe their arguments. */
const SCHEMAS: readonly JsonObject[] = [
  {},
  { type: 'object' },
  { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  {
    oneOf: [{ type: 'object', properties: { kind: { const: 'x' } }, required: ['kind'] }, { $ref: '#/$defs/y' }],
    $defs: { y: { type: 'object', properties: { kind: { const: 'y' } } } },
  },
  { allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { enum: [1, 2] } } }] },
  {
    $ref: '#/definitions/all',
    definitions: { all: { type: 'object', properties: { '@odata.type': { type: 'string' } } } },
  },
  {
    type: 'object',
    properties: { $top: { type: 'integer' }, 'filter[id]': { type: 'object', properties: { 'due date': {} } } },
    required: ['$top'],
  },
];
const tool = fc.record(
  { name: fc.constant('look'), parameters: fc.constantFrom(...SCHEMAS), cacheHint },
  { requiredKeys: ['name', 'parameters'] },
);
const image = fc
  .constantFrom('image/png', 'image/jpg', 'IMAGE/PNG', 'image/jpeg;charset=utf-8', 'application/pdf')
  .map((mediaType) => ({ type: 'image' as const, source: { kind: 'base64' as const, mediaType, data: 'aW1n' } }));
const userPart: fc.Arbitrary<UserPart> = fc.oneof({ weight: 3, arbitrary: text }, image, document);
const call = ids.map((id) => ({ type: 'toolCall' as const, id, name: 'look', arguments: '{"at":"it"}' }));
const reasoning = fc.record({
  type: fc.constant('reasoning' as const),
  text: fc.constantFrom('Hm.', 'Let me see.'),
});
const result = fc.record({
  type: fc.constant('toolResult' as const),
  toolCallId: ids,
  content: fc.array(userPart, { maxLength: 2 }),
});
const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(text, call, reasoning);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.array(userPart, { maxLength: 3 }).map((parts): Message => ({ role: 'user', parts })),
  fc.array(assistantPart, { maxLength: 4 }).map((parts): Message => ({ role: 'assistant', parts })),
  fc.array(result, { minLength: 1, maxLength: 3 }).map((parts): Message => ({ role: 'tool', parts })),
  fc.array(text, { maxLength: 1 }).map((parts): Message => ({ role: 'system', parts })),
);
export const randomRequest: fc.Arbitrary<ChatRequest> = fc.record(
  {
    model: fc.constant('a'),
    system: fc.array(text, { maxLength: 1 }),
    messages: fc.array(message, { maxLength: 8 }),
    tools: tool.map((each) => [each]),
    maxTokens: fc.constantFrom(1, 20, 2000, 64_000),
    temperature: fc.constantFrom(0, 0.2, 1),
    topP: fc.constant(0.5),
    reasoning: fc.constantFrom({ budgetTokens: 500 }, { budgetTokens: 8000 }, { effort: 'low' }),
    toolChoice: fc.constantFrom({ type: 'auto' as const }, { type: 'required' as const }),
  },
  { requiredKeys: ['model', 'system', 'messages'] },
);

/** The request in the caller's format, with a budget where its clients have a member for it. */
export function written(caller: FormatName, wanted: ChatRequest): object {
  const body = wireFormats[caller].encodeRequest(wanted) as object;
  const budget = wanted.reasoning?.budgetTokens;
  return caller === 'chat-completions' && budget !== undefined ? { ...body, reasoning: { max_tokens: budget } } : body;
}
