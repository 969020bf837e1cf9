/**
 * What the services of each format demand of a request beyond its schema, from their public documentation and the errors
 * that they are known to answer with. Independent of the code that writes requests.
 */
import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of any form are checked
type Json = any;

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

export const checkDemands: Readonly<Record<FormatName, (body: Json) => void>> = {
  'chat-completions': checkChatCompletions,
  messages: checkMessages,
  responses: checkResponses,
};

function checkParameters(parameters: Json): void {
  assert.equal(parameters?.type, 'object', 'parameters are an object');
  assert.equal(typeof parameters.properties, 'object', 'parameters have properties');
}

/** No alternatives at the top, which services of two formats refuse. */
function checkObject(parameters: Json): void {
  checkParameters(parameters);
  for (const name of ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'enum']) assert.ok(!(name in parameters), name);
}

function checkPropertyNames(schema: Json): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === 'properties') for (const name of Object.keys(inner as object)) assert.match(name, /^[\w.-]{1,64}$/);
    checkPropertyNames(inner);
  }
}

/** In the order of the prompt: tools, system prompt, messages. */
function marksIn(value: Json, marks: Json[] = []): Json[] {
  if (Array.isArray(value)) for (const each of value) marksIn(each, marks);
  else if (typeof value === 'object' && value !== null) {
    marksIn(value.content, marks);
    if (value.cache_control) marks.push(value.cache_control);
  }
  return marks;
}

function checkMarks({ tools = [], system, messages }: Json): void {
  const lifetimes = marksIn([tools, system, messages]).map(({ ttl = '5m' }) => ttl);
  assert.ok(lifetimes.length <= 4, 'there are at most four cache marks');
  assert.deepEqual(lifetimes, lifetimes.toSorted(), 'no longer lifetime follows a shorter one');
  for (const ttl of lifetimes) assert.ok(['5m', '1h'].includes(ttl), ttl);
}

function checkAddress(url: string): void {
  if (!/^data:/i.test(url)) return;
  const type = /^data:([^;,]+);base64,/.exec(url)?.[1] ?? '';
  assert.ok(IMAGE_TYPES.includes(type), `${type} is the type of an image`);
}

function checkChatCompletions({ messages, tools = [] }: Json): void {
  const ids = new Set<string>();
  let open: string[] = [];
  let before = '';
  assert.ok(
    messages.some(({ role }: Json) => role === 'user'),
    'a user asks',
  );
  for (const message of messages) {
    const { role, content } = message;
    if (role === 'tool') {
      assert.ok(open.includes(message.tool_call_id), 'a result follows its call directly, once');
      open = open.filter((id) => id !== message.tool_call_id);
    } else assert.deepEqual(open, [], 'each call has a result');
    if (role === 'user' || role === 'assistant') assert.notEqual(role, before, 'turns alternate');
    if (role === 'user' || role === 'system') assert.ok(content.length > 0, 'a message is not empty');
    if (role === 'assistant') {
      assert.ok(content || message.tool_calls?.length || message.refusal, 'an answer is not empty');
      for (const { id } of message.tool_calls ?? []) {
        assert.ok(id !== '' && id.length <= 40 && !ids.has(id), 'an ID is short and distinct');
        ids.add(id);
        open.push(id);
      }
    }
    for (const part of Array.isArray(content) ? content : []) {
      if (part.type === 'text') assert.notEqual(part.text, '');
      if (part.type === 'image_url') checkAddress(part.image_url.url);
    }
    before = role;
  }
  assert.deepEqual(open, []);
  for (const tool of tools) if (tool.type === 'function') checkObject(tool.function.parameters);
}

function blocksOf({ content }: Json): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function checkMessages(body: Json): void {
  const { messages, tools = [], max_tokens: limit, thinking, temperature, top_p: topP, top_k: topK } = body;
  const turns = messages.filter(({ role }: Json) => role !== 'system');
  assert.equal(turns[0]?.role, 'user', 'a user asks first');
  const ids = new Set<string>();
  let open: string[] = [];
  let before = '';
  for (const message of messages) {
    const blocks = blocksOf(message);
    assert.ok(blocks.length > 0, 'a message is not empty');
    if (message.role !== 'system') assert.notEqual(message.role, before, 'turns alternate');
    before = message.role;
    const results = blocks.filter(({ type }) => type === 'tool_result');
    assert.deepEqual(
      results.map((block) => block.tool_use_id).toSorted(),
      open.toSorted(),
      'results follow their calls',
    );
    assert.deepEqual(blocks.slice(0, results.length), results, 'results come first');
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    open = calls.map(({ id }) => id);
    for (const id of open) {
      assert.match(id, /^[\w-]+$/);
      assert.ok(!ids.has(id), 'an ID is distinct');
      ids.add(id);
    }
    checkBlocks(blocks);
    if (message.role === 'assistant') assert.ok(!/thinking/.test(blocks.at(-1).type), 'thinking is not the end');
  }
  assert.deepEqual(open, []);
  const end = blocksOf(messages.at(-1)).at(-1);
  if (messages.at(-1).role === 'assistant' && end.type === 'text') assert.equal(end.text, end.text.trimEnd());
  for (const tool of tools) {
    checkObject(tool.input_schema);
    checkPropertyNames(tool.input_schema);
  }
  checkMarks(body);
  if (thinking?.type === 'enabled') {
    assert.ok(thinking.budget_tokens >= 1024 && thinking.budget_tokens < limit, 'the budget is within its limits');
    assert.deepEqual([temperature ?? 1, topP, topK], [1, undefined, undefined]);
    assert.ok(!['any', 'tool'].includes(body.tool_choice?.type), 'no tool is forced');
    const last = messages.findLast(({ role }: Json) => role === 'assistant');
    const blocks = last === undefined ? [] : blocksOf(last);
    if (blocks.some(({ type }) => type === 'tool_use')) assert.match(blocks[0].type, /thinking/);
  }
}

function checkBlocks(blocks: readonly Json[]): void {
  for (const block of blocks) {
    if (block.type === 'text') assert.notEqual(block.text.trim(), '', 'a text is visible');
    if (block.type === 'thinking') assert.ok(block.signature, 'thinking is signed');
    if (block.type === 'image' && block.source.type === 'base64') {
      assert.ok(IMAGE_TYPES.includes(block.source.media_type), block.source.media_type);
    }
    if (block.type === 'document' && block.source.type === 'base64') {
      assert.equal(block.source.media_type, 'application/pdf');
    }
    if (block.type === 'tool_result' && Array.isArray(block.content)) checkBlocks(block.content);
  }
}

function checkResponses({ input, tools = [], max_output_tokens: limit = 16 }: Json): void {
  const calls = new Set<string>();
  let open: string[] = [];
  let isAnswered = false;
  assert.ok(
    input.some(({ role }: Json) => role === 'user'),
    'a user asks',
  );
  for (const [place, item] of input.entries()) {
    if (/_call$/.test(item.type)) {
      assert.ok(!isAnswered || open.length === 0, 'results come after all calls of an answer');
      assert.ok(item.call_id !== '' && item.call_id.length <= 64 && !calls.has(item.call_id), 'an ID is distinct');
      calls.add(item.call_id);
      open.push(item.call_id);
      isAnswered = false;
    } else if (/_output$/.test(item.type)) {
      assert.ok(open.includes(item.call_id), 'a result follows its call, once');
      open = open.filter((id) => id !== item.call_id);
      isAnswered = true;
    } else if (item.role === 'user' || item.role === 'system') {
      assert.deepEqual(open, [], 'each call has a result');
      assert.ok(item.content.length > 0, 'a message is not empty');
    }
    if (item.type === 'reasoning') {
      const next = input[place + 1];
      assert.ok(
        next?.role === 'assistant' || /^reasoning$|_call$/.test(next?.type ?? ''),
        'something follows reasoning',
      );
    }
    for (const part of Array.isArray(item.content) ? item.content : []) {
      if (part.image_url !== undefined) checkAddress(part.image_url);
    }
  }
  assert.deepEqual(open, []);
  assert.ok(limit >= 16, 'the limit is at least 16');
  for (const tool of tools) if (tool.type === 'function') checkObject(tool.parameters);
}
