/** Requests and answers as sent, and a client for them. */
import assert from 'node:assert/strict';
import { chatCompletions } from '../../../src/formats/chatCompletions/index.ts';
import { ApiClient, type ApiClientOptions } from '../../../src/service/apiClient.ts';
import { parseKey } from '../../../src/service/pastedKey.ts';
import { ServiceError } from '../../../src/service/serviceError.ts';
import type { CallOptions } from '../../../src/service/transport.ts';
import type { ScriptedService } from '../../support/scriptedService.ts';

export const SECRET = 'key_5c0ffee5c0ffee5c0ffee5c0ffee1234';

export function clientOf(service: ScriptedService, options: Partial<ApiClientOptions> = {}): ApiClient {
  const parsed = parseKey(SECRET);
  assert.ok(parsed.ok);
  return new ApiClient({ baseAddress: service.baseAddress, key: parsed.key, fetch: globalThis.fetch, ...options });
}

/** @returns the error of the failed call, which must be a {@link ServiceError}. */
export async function rejection(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => assert.fail('The call did not fail.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
}

export const chatRequest = { model: 'familya-sonnet-4.6', messages: [{ role: 'user' as const, content: 'Hello' }] };
/** Requests a chat completion as the extension does. */
export const chat = (api: ApiClient, options?: CallOptions) =>
  api.stream(chatCompletions, { ...chatRequest, stream: true }, options);
export const messagesRequest = { ...chatRequest, max_tokens: 100 };
export const responsesRequest = { model: 'familya-sonnet-4.6', input: 'Hello' };

export const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_800_000_000,
  model: 'familya-sonnet-4.6',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
};

export const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'familya-sonnet-4.6',
  content: [{ type: 'text', text: 'Good day.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 3 },
};

export const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_800_000_000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'familya-sonnet-4.6',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Good day.', annotations: [] }],
    },
  ],
  usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
};

/** A chunk of a streamed chat completion. */
export function chunk(delta: object, finishReason: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'familya-sonnet-4.6', choices };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
