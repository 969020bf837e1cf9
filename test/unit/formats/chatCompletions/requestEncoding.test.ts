import assert from 'node:assert/strict';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import type { ChatRequest, Message, Reasoning } from '../../../../src/formats/conversation.ts';

const text = (value: string) => ({ type: 'text' as const, text: value });
const base: ChatRequest = { model: 'familyc-5.4', system: [], messages: [{ role: 'user', parts: [text('Hello')] }] };

function encode(members: Partial<ChatRequest>) {
  return chatCompletions.encodeRequest({ ...base, ...members });
}

function encodeMessages(...messages: Message[]) {
  return encode({ messages }).messages;
}

/** Encodes what follows a question. */
function encodeAnswers(...messages: Message[]) {
  return encodeMessages(...base.messages, ...messages).slice(1);
}

describe('Chat-completions request encoder', () => {
  it('writes strings for plain content and omits properties that were not given', () => {
    assert.deepEqual(encode({ maxTokens: 10 }), {
      model: 'familyc-5.4',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 10,
    });
  });

  it('puts all leading instructions into one system message', () => {
    assert.deepEqual(encode({ system: [text('One'), text('Two')] }).messages[0], {
      role: 'system',
      content: [text('One'), text('Two')],
    });
  });

  it('omits cache hints and empty text', () => {
    const parts = [text(''), { ...text('a'), cacheHint: { ttl: '5m' } }, { ...text('b'), cacheHint: {} }];
    assert.deepEqual(encodeMessages({ role: 'user', parts }), [{ role: 'user', content: [text('a'), text('b')] }]);
  });

  it('writes the expected content for an assistant message without text', () => {
    const call = { type: 'toolCall' as const, id: 'c', name: 'f', arguments: '' };
    const results = [{ type: 'toolResult' as const, toolCallId: 'c', content: [] }];
    const encoded = encodeAnswers({ role: 'assistant', parts: [call] }, { role: 'tool', parts: results });
    assert.deepEqual(encoded.slice(0, 1), [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
    ]);
  });

  it('writes plain reasoning as text only, without details that servers may reject', () => {
    const parts = [{ type: 'reasoning' as const, text: 'Hm' }, text('Yes')];
    assert.deepEqual(encodeAnswers({ role: 'assistant', parts }), [
      { role: 'assistant', content: 'Yes', reasoning_content: 'Hm' },
    ]);
  });

  it('puts images of tool results into a user message after all results', () => {
    const image = { type: 'image' as const, source: { kind: 'base64' as const, mediaType: 'image/png', data: 'aGk=' } };
    const [, ...encoded] = encodeAnswers(
      {
        role: 'assistant',
        parts: ['a', 'b', 'c'].map((id) => ({ type: 'toolCall', id, name: 'look', arguments: '{}' })),
      },
      {
        role: 'tool',
        parts: [
          { type: 'toolResult', toolCallId: 'a', content: [text('seen'), image] },
          { type: 'toolResult', toolCallId: 'b', content: [image], isError: false },
          { type: 'toolResult', toolCallId: 'c', content: [] },
        ],
      },
    );
    const wire = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };
    assert.deepEqual(encoded, [
      { role: 'tool', tool_call_id: 'a', content: 'seen' },
      { role: 'tool', tool_call_id: 'b', content: 'The result is attached to the next message.' },
      { role: 'tool', tool_call_id: 'c', content: '' },
      {
        role: 'user',
        content: [text('From the result of tool call a:'), wire, text('From the result of tool call b:'), wire],
      },
    ]);
  });

  it('gives each call an ID of its own, in the form in which a client has shortened all of them', () => {
    const turn = (id: string, result: string): Message[] => [
      { role: 'assistant', parts: [{ type: 'toolCall', id, name: 'run', arguments: '{}' }] },
      { role: 'tool', parts: [{ type: 'toolResult', toolCallId: id, content: [text(result)] }] },
    ];
    for (const [id, form] of [
      ['call20000', /^[A-Za-z0-9]{9}$/],
      ['call_2', /^call_2/],
    ] as const) {
      const sent = encodeAnswers(...turn(id, 'first'), ...turn(id, 'second')) as readonly {
        readonly tool_calls?: readonly { readonly id: string }[];
        readonly tool_call_id?: string;
      }[];
      const called = sent.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.id));
      const returned = sent.flatMap(({ tool_call_id: of = [] }) => of);
      assert.deepEqual([returned, new Set(called).size], [called, 2]);
      for (const each of called) assert.match(each, form);
    }
  });

  it('writes text documents as text', () => {
    const source = { kind: 'text' as const, text: 'Body' };
    assert.deepEqual(
      encodeMessages({ role: 'user', parts: [{ type: 'document', source, name: 'Title' }] })[0]?.content,
      [text('Title\n\nBody')],
    );
  });

  it('requests usage for a stream', () => {
    assert.deepEqual(encode({ stream: true }).stream_options, { include_usage: true });
    assert.equal('stream_options' in encode({ stream: false, includeUsage: true }), false);
  });

  it('marks a free-form tool as such in the tool choice', () => {
    const tools = [{ name: 'a', freeForm: true as const }, { name: 'b' }];
    assert.deepEqual(encode({ tools, toolChoice: { type: 'tool', name: 'a' } }).tool_choice, {
      type: 'custom',
      custom: { name: 'a' },
    });
    assert.deepEqual(encode({ tools, toolChoice: { type: 'tool', name: 'b' } }).tool_choice, {
      type: 'function',
      function: { name: 'b' },
    });
  });

  it('omits hosted tools of other formats, and the tool choice if no tool is left', () => {
    const hostedTools = [{ format: 'messages' as const, type: 'web_search_20250305', definition: {} }];
    const encoded = encode({ hostedTools, toolChoice: { type: 'auto' }, parallelToolCalls: true });
    for (const member of ['tools', 'tool_choice', 'parallel_tool_calls'])
      assert.equal(member in encoded, false, member);
  });

  it('gives a response schema the name that the wire format requires', () => {
    const { response_format: format } = encode({ responseFormat: { type: 'jsonSchema', schema: { type: 'object' } } });
    assert.equal(format?.json_schema?.name, 'response');
  });

  it('truncates user ids to the length that servers accept', () => {
    assert.equal(encode({ userId: 'u'.repeat(200) }).user?.length, 64);
  });

  const efforts: readonly (readonly [Reasoning, string | undefined])[] = [
    [{ effort: 'xhigh', budgetTokens: 1024 }, 'xhigh'],
    [{ budgetTokens: 1024 }, 'low'],
    [{ budgetTokens: 10_000 }, 'medium'],
    [{ budgetTokens: 31_999 }, 'high'],
    [{ adaptive: true }, undefined],
  ];
  for (const [reasoning, effort] of efforts) {
    it(`converts reasoning ${JSON.stringify(reasoning)} to effort ${effort}`, () => {
      assert.equal(encode({ reasoning }).reasoning_effort, effort);
    });
  }
});
