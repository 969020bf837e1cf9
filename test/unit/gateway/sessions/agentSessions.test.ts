/**
 * Sessions of recorded requests of agents. The headers were recorded from the agents themselves, in the versions that
 * the fixtures name, with random IDs replaced. Clients that are expected to identify nothing sent no ID in any header
 * or member. Those of Claude Code Router, TanStack AI, and `@openrouter/agent` are from the first recording.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { agentType, clientSession, requestClass, toolMs } from '../../../../src/gateway/sessions/clientSession.ts';
import { bodyMembers } from '../../../../src/gateway/sessions/sessionReader.ts';
import { Sender } from '../caching/watched.ts';

const FOLDER = new URL('../../../fixtures/agents/', import.meta.url);
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** What each request names; undefined if its session is found by its messages. */
const SESSIONS: Readonly<Record<string, { session: string; turn?: string } | undefined>> = {
  'claude-code-router-chat-completions': undefined,
  'claude-code-task': { session: uuid(1), turn: uuid(101) },
  'claude-code-tool-search': { session: uuid(1), turn: uuid(101) },
  'cline-chat-completions': undefined,
  'cline-responses': undefined,
  'codex-functions': { session: uuid(8), turn: uuid(108) },
  'codex-namespaces': { session: uuid(11), turn: uuid(111) },
  'codex-tool-search': { session: uuid(10), turn: uuid(110) },
  'continue-messages': undefined,
  'copilot-chat-completions': undefined,
  'copilot-messages': undefined,
  'copilot-responses': { session: 'session' },
  'kimi-code-chat-completions': { session: 'prompt_cache_key-1' },
  'kimi-code-messages': { session: 'user_id-1' },
  'kimi-code-responses': { session: 'prompt_cache_key-1' },
  'openai-agents-responses': undefined,
  'opencode-chat-completions': { session: 'ses_0' },
  'opencode-messages': { session: 'ses_0' },
  'opencode-responses': { session: 'ses_0' },
  'openrouter-chat-completions': undefined,
  'openrouter-responses': undefined,
  'pi-chat-completions': undefined,
  'pi-responses': { session: 'session' },
  'qwen-code-messages': undefined,
  'qwen-code-responses': { session: 'session' },
  'tanstack-messages': undefined,
};

interface Fixture {
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of a subagent's request that differ from those of its parent. */
  readonly subagentHeaders?: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

function read(name: string): Fixture {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Fixture;
}

function sessionOf(headers: Fixture['headers'], body: Fixture['body']) {
  return clientSession(headers, () => bodyMembers(Buffer.from(JSON.stringify(body))));
}

/** The conversation in a body, by the name of its member. */
function messagesOf(body: Fixture['body']): readonly [name: 'messages' | 'input', items: readonly unknown[]] {
  const name = body.messages === undefined ? 'input' : 'messages';
  return [name, body[name] as readonly unknown[]];
}

describe('the session of a recorded request', () => {
  it('has an expected value for every fixture', () => {
    const names = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
    assert.deepEqual(names.sort(), Object.keys(SESSIONS));
  });

  for (const [name, expected] of Object.entries(SESSIONS)) {
    const { headers, body } = read(name);
    if (expected === undefined) {
      it(`is not named by ${name}, and is derived from its messages`, () => {
        assert.equal(sessionOf(headers, body), undefined);
        const [member, items] = messagesOf(body);
        const sender = new Sender();
        const first = sender.send({ body });
        const next = { role: 'assistant', content: 'Continued.' };
        const second = sender.send({ body: { ...body, [member]: [...items, next] }, at: 1000 });
        const other = sender.send({
          body: { ...body, [member]: [{ role: 'user', content: 'Another one.' }] },
          at: 2000,
        });
        assert.notEqual(first?.session.sessionId, undefined);
        assert.deepEqual(second?.session, first?.session, 'the same session and the same turn');
        assert.notEqual(other?.session.sessionId, first?.session.sessionId);
      });
    } else it(`is named by ${name}`, () => assert.deepEqual(sessionOf(headers, body), expected));
  }

  it('includes the subagents of Claude Code, with their type', () => {
    const { headers, subagentHeaders, body } = read('claude-code-task');
    const sent = { ...headers, ...subagentHeaders };
    assert.deepEqual(sessionOf(sent, body), { session: uuid(1), agent: 'a0000000000000001', turn: uuid(101) });
    assert.deepEqual([requestClass(headers), requestClass(sent)], ['main', 'subagent']);
    assert.deepEqual([agentType(headers), agentType(sent)], [undefined, 'Explore']);
  });

  it('has the time of the tools of Claude Code', () => {
    assert.equal(toolMs(read('claude-code-task').headers), 222);
  });

  it('includes the subagents of opencode', () => {
    const { headers, subagentHeaders, body } = read('opencode-messages');
    const sent = { ...headers, ...subagentHeaders };
    assert.deepEqual(sessionOf(sent, body), { session: 'ses_0', agent: 'ses_1' });
    assert.deepEqual([requestClass(headers), requestClass(sent)], [undefined, 'subagent']);
  });
});
