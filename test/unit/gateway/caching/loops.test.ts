import assert from 'node:assert/strict';
import type { RequestHandlerOptions } from '../../../../src/gateway/server/requestHandlerOptions.ts';
import type { SessionLoop } from '../../../../src/gateway/server/sessionTracker.ts';
import { issued } from '../budgets/limited.ts';
import { json, LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';
import { answerAnyFormat } from '../support/scriptedService.ts';
import { Sender } from './watched.ts';

/** A tool call and its result. */
interface Round {
  readonly input: object;
  readonly result: string;
  /** The model's text next to the call. */
  readonly said?: string;
}

const READ: Round = { input: { path: 'src/quote.ts', id: 1 }, result: 'No such file.' };

/** Returns the conversation after these rounds, by format, with a different ID for each call. */
const CONVERSATIONS: Readonly<Record<string, (rounds: readonly Round[]) => object>> = {
  messages: (rounds) => ({
    messages: [
      { role: 'user', content: 'Fix it.' },
      ...rounds.flatMap(({ input, result, said = '' }, nth) => [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: `Thought ${nth}`, signature: `s${nth}` },
            ...(said === '' ? [] : [{ type: 'text', text: said }]),
            { type: 'tool_use', id: `toolu_${nth}`, name: 'read', input },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${nth}`, content: result }] },
      ]),
    ],
  }),
  'chat-completions': (rounds) => ({
    messages: [
      { role: 'user', content: 'Fix it.' },
      ...rounds.flatMap(({ input, result, said = null }, nth) => [
        {
          role: 'assistant',
          content: said,
          tool_calls: [
            { id: `c${nth}`, type: 'function', function: { name: 'read', arguments: JSON.stringify(input) } },
          ],
        },
        { role: 'tool', tool_call_id: `c${nth}`, content: result },
      ]),
    ],
  }),
  responses: (rounds) => ({
    input: [
      { role: 'user', content: 'Fix it.' },
      ...rounds.flatMap(({ input, result, said }, nth) => [
        { type: 'reasoning', id: `rs_${nth}`, encrypted_content: `e${nth}`, summary: [] },
        ...(said === undefined ? [] : [{ type: 'message', role: 'assistant', content: said }]),
        { type: 'function_call', id: `fc_${nth}`, call_id: `c${nth}`, name: 'read', arguments: JSON.stringify(input) },
        { type: 'function_call_output', call_id: `c${nth}`, output: result },
      ]),
    ],
  }),
};

/**
 * Sends the conversation once after each round, as an agent does.
 * @returns the number of rounds after which a loop was detected.
 */
function noticedIn(conversation: (rounds: readonly Round[]) => object, rounds: readonly Round[], session?: string) {
  const sender = new Sender();
  for (let count = 0; count <= rounds.length; count += 1) {
    sender.send({ body: conversation(rounds.slice(0, count)), at: count, ...(session !== undefined && { session }) });
  }
  return sender.loops.map(({ rounds: noticed }) => noticed);
}

describe('an agent that repeats itself', () => {
  for (const [format, conversation] of Object.entries(CONVERSATIONS)) {
    it(`is detected after three rounds, and then every ten, with ${format}`, () => {
      assert.deepEqual(
        noticedIn(
          conversation,
          Array.from({ length: 12 }, () => READ),
        ),
        [3],
      );
      assert.deepEqual(
        noticedIn(
          conversation,
          Array.from({ length: 14 }, () => READ),
          'named',
        ),
        [3, 13],
      );
    });

    it(`is detected whatever text accompanies its calls, with ${format}`, () => {
      const rounds = ['Again.', 'Once more.', 'Let me look.'].map((said) => ({ ...READ, said }));
      assert.deepEqual(noticedIn(conversation, rounds), [3]);
    });

    it(`is not detected if the calls or results differ, with ${format}`, () => {
      const polling = ['starting', 'starting', 'ready'].map((result) => ({ ...READ, result }));
      const paging = [1, 2, 3].map((id) => ({ ...READ, input: { ...READ.input, id } }));
      assert.deepEqual([noticedIn(conversation, polling), noticedIn(conversation, paging)], [[], []]);
      const interrupted = [READ, READ, { ...READ, result: 'Found.' }, READ, READ];
      assert.deepEqual(noticedIn(conversation, interrupted), []);
    });
  }

  it('is detected once if its request is sent again', () => {
    const sender = new Sender();
    const body = (count: number) => CONVERSATIONS.messages?.(Array.from({ length: count }, () => READ)) ?? {};
    for (const count of [0, 1, 2, 3, 3, 3]) sender.send({ body: body(count) });
    assert.equal(sender.loops.length, 1);
  });

  it('is detected if it gives the same answer to the same prompt again and again', () => {
    const sender = new Sender();
    const nudge = [
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'You have not called a tool. Call one.' },
    ];
    for (let count = 0; count <= 3; count += 1) {
      const nudges = Array.from({ length: count }, () => nudge).flat();
      sender.send({ body: { messages: [{ role: 'user', content: 'Fix it.' }, ...nudges] }, at: count });
    }
    assert.deepEqual(
      sender.loops.map(({ rounds }) => rounds),
      [3],
    );
  });
});

describe('a gateway with an agent that repeats itself', () => {
  afterEach(closeAll);

  const headers = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };

  /**
   * Sends the conversation after each of `count` rounds.
   * @returns the status of each answer, and the loops.
   */
  async function run(options: Partial<RequestHandlerOptions>, count: number, session?: string) {
    const loops: SessionLoop[] = [];
    const pair = await startPair(answerAnyFormat, { ...options, onLoop: (loop) => loops.push(loop) });
    const ask = async (rounds: number) => {
      const conversation = CONVERSATIONS.messages?.(Array.from({ length: rounds }, () => READ));
      const body = JSON.stringify({ model: 'm', max_tokens: 10, ...conversation });
      const named = session === undefined ? {} : { 'x-claude-code-session-id': session };
      const ended = pair.nextRecord();
      const answer = await send({ port: pair.port, path: '/v1/messages', headers: { ...headers, ...named }, body });
      await ended;
      return answer;
    };
    const answers = [];
    for (let rounds = 0; rounds < count; rounds += 1) answers.push(await ask(rounds));
    return { pair, ask, loops, answers, statuses: answers.map(({ status }) => status) };
  }

  it('reports it and stops nothing', async () => {
    const { loops, statuses } = await run({ endsLoops: false }, 6);
    assert.deepEqual(
      loops.map(({ rounds, isEnded }) => [rounds, isEnded]),
      [[3, false]],
    );
    assert.deepEqual(new Set(statuses), new Set([200]));
  });

  for (const session of [undefined, 'named']) {
    it(`ends the ${session ?? 'unnamed'} session if so configured`, async () => {
      const { loops, statuses, answers, pair } = await run({ endsLoops: true }, 6, session);
      assert.deepEqual(
        loops.map(({ rounds, isEnded }) => [rounds, isEnded]),
        [[3, true]],
      );
      assert.deepEqual(statuses, [200, 200, 200, 200, 402, 402]);
      const refused = answers.at(-1);
      assert.ok(refused);
      assert.match(JSON.stringify(json(refused)), /This session was ended.*Nothing was sent or charged/);
      assert.equal(refused.headers['x-should-retry'], 'false');
      assert.equal(pair.service.requests.filter(({ path }) => path.endsWith('/messages')).length, 4);
    });
  }

  it('also ends the session of a key with a session cap', async () => {
    const localKeys = [issued({ limits: { sessionDollars: 5 } })];
    const { statuses, answers } = await run({ endsLoops: true, localKeys }, 5, 'named');
    assert.deepEqual(statuses, [200, 200, 200, 200, 402]);
    assert.match(String(answers.at(-1)?.body), /This session was ended\. Nothing was sent or charged/);
  });

  it('ends a session that the user ends, and no other', async () => {
    const { pair, ask, loops } = await run({ endsLoops: false }, 4, 'named');
    pair.gateway.endSession(loops[0]?.sessionId ?? '');
    assert.equal((await ask(4)).status, 402);
    const body = JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Another.' }] });
    assert.equal((await send({ port: pair.port, path: '/v1/messages', headers, body })).status, 200);
  });
});
