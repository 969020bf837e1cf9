import assert from 'node:assert/strict';
import { readRequests, replayableRows } from '../../../../../src/editor/sessions/replay/recordedRequest.ts';
import type { SessionServices } from '../../../../../src/editor/sessions/sessionServices.ts';
import type { TrafficQuestion } from '../../../../../src/gateway/traffic/protocol.ts';
import { refusesReasoning, withoutReasoning } from '../../../../../src/pages/session/replay/withoutReasoning.ts';
import { row } from '../rows.ts';

const ANSWERED = {
  endpoint: '/messages',
  callerFormat: 'messages' as const,
  status: 200,
  usage: { inputTokens: 10, outputTokens: 1 },
};

describe('the replayable requests of a session', () => {
  it('are the answered gateway requests of the main agent, with their turns', () => {
    const rows = [
      row({ ...ANSWERED, turnId: 'a' }),
      row({ ...ANSWERED, turnId: 'b', agentId: 'sub' }),
      row({ ...ANSWERED, turnId: 'b' }),
      row({ ...ANSWERED, turnId: 'b', status: 529 }),
      row({ ...ANSWERED, turnId: 'b', source: 'chatPanel' }),
      row({ ...ANSWERED, turnId: 'b', endpoint: '/messages/count_tokens' }),
      row({ turnId: 'b' }),
    ];
    assert.deepEqual(
      replayableRows(rows.toReversed()).map(({ id, turn }) => [id, turn]),
      [
        [rows[0]?.id, 1],
        [rows[2]?.id, 2],
      ],
    );
  });

  it('are read with their new messages and the headers that affect the body', async () => {
    const body = {
      model: 'm',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Look at it.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't', content: 'text' },
            { type: 'text', text: ' And now? ' },
          ],
        },
      ],
    };
    const text = JSON.stringify(body);
    const bodies: Record<string, string | undefined> = { request: text };
    const ask = async (question: TrafficQuestion) => {
      if (question.kind === 'details') {
        return {
          requestHeaders: [
            ['anthropic-beta', 'context-1m'],
            ['x-app', 'cli'],
          ],
        };
      }
      const kept = question.kind === 'body' ? bodies[question.part] : undefined;
      if (kept === undefined) return undefined;
      return { part: 'request', bytes: kept.length, keptBytes: kept.length, isReadable: true, pieces: [[0, kept]] };
    };
    const services = { worker: { rpc: { askTraffic: ask } }, calls: { find: () => undefined } };
    const rows = replayableRows([row({ ...ANSWERED })]);
    const [request] = await readRequests(rows, services as unknown as SessionServices);
    assert.deepEqual(request?.body, body);
    assert.deepEqual(request?.headers, { 'anthropic-beta': 'context-1m' });
    assert.deepEqual([request?.question, request?.results, request?.answer], ['And now?', 1, undefined]);
    bodies.request = undefined;
    assert.deepEqual(await readRequests(rows, services as unknown as SessionServices), []);
  });
});

describe('a request without the recorded reasoning', () => {
  it('is sent after an error that names the reasoning', () => {
    assert.ok(refusesReasoning(400, 'messages.1.content.0: Invalid `signature` in `thinking` block'));
    assert.ok(refusesReasoning(422, 'The encrypted_content could not be verified.'));
    assert.ok(!refusesReasoning(400, 'max_tokens is too large'));
    assert.ok(!refusesReasoning(500, 'thinking failed'));
  });

  it('has neither reasoning nor its settings in any format, and keeps everything else', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 's' }] },
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'b' },
        ],
      },
    ];
    assert.deepEqual(
      withoutReasoning(
        { model: 'm', thinking: { type: 'enabled' }, output_config: { effort: 'high', format: 1 }, messages },
        'messages',
      ),
      {
        model: 'm',
        output_config: { format: 1 },
        messages: [messages[0], { role: 'assistant', content: [{ type: 'text', text: 'b' }] }],
      },
    );
    assert.deepEqual(
      withoutReasoning(
        { reasoning: { effort: 'high' }, input: [{ type: 'reasoning' }, 'a', { role: 'user' }] },
        'responses',
      ),
      { input: ['a', { role: 'user' }] },
    );
    assert.deepEqual(
      withoutReasoning(
        { reasoning_effort: 'low', messages: [{ role: 'assistant', content: 'a', reasoning_content: 'x' }] },
        'chat-completions',
      ),
      { messages: [{ role: 'assistant', content: 'a' }] },
    );
    assert.deepEqual(withoutReasoning({ input: 'text' }, 'responses'), { input: 'text' });
  });
});
