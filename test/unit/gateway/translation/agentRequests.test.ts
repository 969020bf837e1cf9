/** Recorded requests of coding agents, with their texts replaced; see the fixtures. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { readConversation } from '../../../support/modelServer/askedConversation.ts';
import type { AskedRequest } from '../../../support/modelServer/modelServer.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const FOLDER = new URL('../../../fixtures/agents/', import.meta.url);

interface Fixture {
  /** The agent that sent it. */
  readonly agent: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AskedRequest['body'];
}

/** The end of a stream in each format. */
const LAST_WORDS: Readonly<Record<FormatName, RegExp>> = {
  'chat-completions': /data: \[DONE\]\s*$/,
  messages: /"type":"message_stop"\}\s*$/,
  responses: /^event: response\.completed\ndata: [^\n]*\s*$/m,
};

for (const file of readdirSync(FOLDER)) {
  const fixture = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Fixture;
  const caller = formatOf(fixture.path);

  describe(`the request of ${fixture.agent} (${file})`, () => {
    afterEach(closeAll);

    for (const upstream of FORMAT_NAMES) {
      it(`reaches an upstream of ${upstream} completely`, async () => {
        const { answer, asked } = await replay(fixture, upstream, fixture.body.stream);
        assert.equal(answer.status, 200, answer.body.toString());
        assert.match(answer.body.toString(), LAST_WORDS[caller]);
        assert.ok(asked !== undefined);
        const got = readConversation(asked);
        compare(readConversation({ ...asked, format: caller, body: fixture.body }), got);
        if (upstream !== caller)
          for (const { text } of got.results) assert.notEqual(text, '', 'a result says something');
        assertCarries(asked.text, wordsOf(fixture.body));
      });

      it(`is answered by an upstream of ${upstream} if it is repeated without streaming`, async () => {
        const { answer } = await replay(fixture, upstream, false);
        assert.equal(answer.status, 200, answer.body.toString());
        assert.match(answer.body.toString(), /All done\./);
      });
    }
  });
}

async function replay({ path, headers, body }: Fixture, upstream: FormatName, stream: boolean) {
  const script = () => ({ parts: [{ reasoning: 'So.', signature: 'proof' }, { text: 'All done.' }], pieceBytes: 9 });
  const { port, servers } = await startRouter([{ formats: [upstream], script }]);
  const all = { ...headers, authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };
  const answer = await send({ port, path, headers: all, body: JSON.stringify({ ...body, stream }) });
  return { answer, asked: servers[0]?.requests[0] };
}

function formatOf(path: string): FormatName {
  if (path.includes('/messages')) return 'messages';
  return path.endsWith('/responses') ? 'responses' : 'chat-completions';
}

type Conversation = ReturnType<typeof readConversation>;

function compare(sent: Conversation, got: Conversation): void {
  assert.deepEqual(
    got.tools.map(({ name, parameters }) => ({ name, parameters })),
    sent.tools.map(({ name, parameters }) => ({ name, parameters })),
  );
  assert.equal(got.mayCallSeveral, sent.mayCallSeveral);
  assert.deepEqual(got.calls.map(parsed), sent.calls.map(parsed));
  assert.deepEqual(
    got.results.map(({ callId }) => callId),
    sent.results.map(({ callId }) => callId),
  );
  assert.equal(got.prompt, sent.prompt);
}

function parsed({ arguments: written, ...call }: Conversation['calls'][number]) {
  return { ...call, arguments: JSON.parse(written) as unknown };
}

/** Returns all texts: prompts, answers, instructions, and tool results. */
function wordsOf(body: Fixture['body']): string[] {
  const { system, messages, input } = body;
  const words: string[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === 'object' && value !== null) {
      const { text, content, output } = value as Record<string, unknown>;
      for (const said of [text, content, output]) {
        if (typeof said === 'string') words.push(said);
        else walk(said);
      }
    }
  };
  walk([...(Array.isArray(system) ? system : []), ...(messages ?? input)]);
  // The client's note for its own service differs in each request, and would keep the upstream from caching.
  return words.filter((said) => said !== '' && !said.startsWith('x-anthropic-billing-header'));
}

function assertCarries(text: string, words: readonly string[]): void {
  assert.ok(words.length > 0);
  for (const said of words) assert.ok(text.includes(JSON.stringify(said).slice(1, -1)), `"${said}" is lost`);
}
