import assert from 'node:assert/strict';
import type { ChatRequest, Tool } from '../../../../../src/formats/conversation.ts';
import {
  droppedFromRequest,
  encodeEditorRequest,
} from '../../../../../src/gateway/upstreams/editorModels/editorRequest.ts';

const BASE: ChatRequest = { model: 'acme/one', system: [], messages: [] };
const TOOLS: readonly Tool[] = [
  { name: 'read', description: 'Reads a file', parameters: { type: 'object' } },
  { name: 'write' },
];
const PNG = { kind: 'base64', mediaType: 'image/png', data: 'aGVsbG8=' } as const;

describe('a request to a model of the editor', () => {
  it('has its instructions as user messages, in their original places', () => {
    const { messages } = encodeEditorRequest({
      ...BASE,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
        { role: 'system', parts: [{ type: 'text', text: 'Be polite.' }] },
      ],
    });
    const asUser = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] });
    assert.deepEqual(messages, ['Be brief.', 'Hi', 'Be polite.'].map(asUser));
  });

  it('includes images, also those in tool results', () => {
    const { messages } = encodeEditorRequest({
      ...BASE,
      messages: [
        { role: 'user', parts: [{ type: 'image', source: PNG }] },
        { role: 'tool', parts: [{ type: 'toolResult', toolCallId: 'c1', content: [{ type: 'image', source: PNG }] }] },
      ],
    });
    const image = { type: 'data', mediaType: 'image/png', data: 'aGVsbG8=' };
    assert.deepEqual(messages, [
      { role: 'user', parts: [image] },
      { role: 'user', parts: [{ type: 'toolResult', toolCallId: 'c1', content: [image] }] },
    ]);
  });

  it('has the arguments of earlier calls as objects, even if the model wrote something else', () => {
    const call = (id: string, written: string) => ({ type: 'toolCall', id, name: 'read', arguments: written }) as const;
    const { messages } = encodeEditorRequest({
      ...BASE,
      messages: [{ role: 'assistant', parts: [call('a', '{"path":"x"}'), call('b', ''), call('c', '{"cut')] }],
    });
    const inputs = messages[0]?.parts.map((part) => part.type === 'toolCall' && part.input);
    assert.deepEqual(inputs, [{ path: 'x' }, {}, { input: '{"cut' }]);
  });

  for (const { choice, names, must } of [
    { choice: undefined, names: ['read', 'write'], must: undefined },
    { choice: { type: 'auto' }, names: ['read', 'write'], must: undefined },
    { choice: { type: 'required' }, names: ['read', 'write'], must: true },
    { choice: { type: 'tool', name: 'write' }, names: ['write'], must: true },
    { choice: { type: 'allowed', mode: 'auto', names: ['read'] }, names: ['read'], must: undefined },
    { choice: { type: 'allowed', mode: 'required', names: ['read'] }, names: ['read'], must: true },
    { choice: { type: 'none' }, names: undefined, must: undefined },
  ] as const) {
    it(`offers the tools that its tool choice allows: ${JSON.stringify(choice)}`, () => {
      const request = { ...BASE, tools: TOOLS, ...(choice !== undefined && { toolChoice: choice }) };
      const { tools, mustCallTool } = encodeEditorRequest(request);
      assert.deepEqual(
        tools?.map(({ name }) => name),
        names,
      );
      assert.equal(mustCallTool, must);
    });
  }

  it('passes temperature and limits as model options', () => {
    const { modelOptions } = encodeEditorRequest({ ...BASE, temperature: 0.2, topP: 0.9, maxTokens: 50 });
    assert.deepEqual(modelOptions, { temperature: 0.2, top_p: 0.9, max_tokens: 50 });
  });

  it('reports what it cannot include', () => {
    const lost = droppedFromRequest({
      ...BASE,
      messages: [
        { role: 'user', parts: [{ type: 'image', source: { kind: 'url', url: 'https://host/a.png' } }] },
        { role: 'user', parts: [{ type: 'document', source: { ...PNG, mediaType: 'application/pdf' } }] },
      ],
      stopSequences: ['END'],
      reasoning: { effort: 'high' },
      responseFormat: { type: 'jsonObject' },
      parallelToolCalls: false,
      seed: 1,
    });
    const expected = ['seed', 'stop', 'image', 'document', 'reasoning', 'response_format', 'parallel_tool_calls'];
    assert.deepEqual(new Set(lost), new Set(expected));
  });

  it('reports nothing if everything is included', () => {
    const parts = [
      { type: 'text', text: 'Hi' },
      { type: 'image', source: PNG },
      { type: 'document', source: { kind: 'text', text: 'A page' } },
    ] as const;
    assert.deepEqual(
      droppedFromRequest({ ...BASE, messages: [{ role: 'user', parts }], temperature: 1, tools: TOOLS }),
      [],
    );
  });
});
