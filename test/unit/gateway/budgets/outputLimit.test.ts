import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import * as fc from 'fast-check';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { maxOf } from '../../../../src/gateway/budgets/budgets.ts';
import { affordableOutput } from '../../../../src/gateway/budgets/outputLimit.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { wholeChatCompletion } from '../../../support/modelServer/chatCompletions.ts';
import type { Answer, AskedRequest } from '../../../support/modelServer/modelServer.ts';
import { runs } from '../../../support/randomRuns.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';
import { startService } from '../support/scriptedService.ts';
import { askedOf, issued, startLimited } from './limited.ts';
import { dollars, freshBudgets, tokens } from './planned.ts';

const SAID = { parts: [{ text: 'Hi' }] };
const LIMITS: Readonly<Record<FormatName, string>> = {
  'chat-completions': 'max_tokens',
  messages: 'max_tokens',
  responses: 'max_output_tokens',
};
const question = (format: FormatName, members: object = {}) => {
  const hello = [{ role: 'user', content: 'Hello' }];
  return JSON.stringify({ model: 'model-a', [format === 'responses' ? 'input' : 'messages']: hello, ...members });
};
const LISTING = { object: 'list', data: [{ id: 'model-a', pricing: { input: 1, output: 10 } }] };
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
const HEADER = 'x-model-access-output-limit';

/** $1 per 1M tokens of input and $10 of output, of which 32,000 are reserved without a limit: $0.32. */
const keyWith = (usd: number, terms: Partial<IssuedKey> = {}) =>
  issued({ budgets: [{ amount: usd, unit: 'usd', period: 'total' }], ...terms });

async function start(key: IssuedKey, said: Answer = SAID) {
  const books = new Bookkeeper();
  closeLater(() => books.close());
  const limited = await startLimited(key, () => said, { books });
  const ask = async (format: FormatName, body: string) => {
    const ended = limited.nextRecord();
    const answer = await send({ port: limited.port, path: `/api/v1${wireFormats[format].path}`, body });
    const record = await ended;
    const asked = limited.server.requests.findLast((request) => request.format !== undefined);
    return { answer, record, asked };
  };
  return { ...limited, ask };
}

describe('a request without a limit of its output, and a budget that its longest answer would exceed', () => {
  afterEach(closeAll);

  for (const format of ['chat-completions', 'responses'] as const) {
    it(`asks for as much output as half of the budget covers, in ${format}`, async () => {
      const { ask } = await start(keyWith(0.1));
      const { answer, record, asked } = await ask(format, question(format));
      assert.equal(answer.status, 200);
      const limit = asked?.body[LIMITS[format]];
      assert.ok(limit > 4_900 && limit < 5_000, String(limit));
      assert.deepEqual([answer.headers[HEADER], record.outputLimit], [String(limit), limit]);
    });

    it(`asks for 1,024 tokens if only the whole budget covers them, in ${format}`, async () => {
      const { ask } = await start(keyWith(0.012));
      const { asked } = await ask(format, question(format));
      assert.equal(asked?.body[LIMITS[format]], 1024);
    });

    it(`is refused with 402 if the budget covers less than 256 tokens, in ${format}`, async () => {
      const { ask } = await start(keyWith(0.002));
      const { answer, asked } = await ask(format, question(format));
      assert.deepEqual([answer.status, asked], [402, undefined]);
    });

    it(`keeps every byte if the budget is large enough, in ${format}`, async () => {
      const { ask } = await start(keyWith(1));
      const body = question(format);
      const { answer, asked } = await ask(format, body);
      assert.deepEqual([answer.headers[HEADER], asked?.text], [undefined, body]);
    });
  }
});

describe('a request with a limit of its output that the budget does not cover', () => {
  afterEach(closeAll);

  for (const format of FORMAT_NAMES) {
    it(`has a lower one if its key says so, in ${format}, and is refused otherwise`, async () => {
      const body = question(format, { [LIMITS[format]]: 20_000 });
      const lowering = await start(keyWith(0.1, { lowersLimits: true }));
      const { answer, asked } = await lowering.ask(format, body);
      assert.equal(answer.status, 200);
      const limit = asked?.body[LIMITS[format]];
      assert.ok(limit > 4_900 && limit < 5_000, String(limit));
      assert.equal(asked?.text, body.replace('20000', String(limit)));
      const strict = await start(keyWith(0.1));
      assert.equal((await strict.ask(format, body)).answer.status, 402);
    });
  }

  it('is refused if its thinking would be longer than its output', async () => {
    const { ask } = await start(keyWith(0.1, { lowersLimits: true }));
    const thinking = { type: 'enabled', budget_tokens: 10_000 };
    const { answer } = await ask('messages', question('messages', { max_tokens: 20_000, thinking }));
    assert.equal(answer.status, 402);
  });
});

describe('parallel requests without a limit of their output, and a small budget', () => {
  afterEach(closeAll);

  it('get halves of what is left, together never more, and wait for each other where it covers no more', async () => {
    const books = new Bookkeeper();
    closeLater(() => books.close());
    const [tokens, count] = [5_000, 8];
    const { promise: mayAnswer, resolve: answerAll } = Promise.withResolvers<void>();
    const asked = new EventEmitter();
    const running: number[] = [];
    const used = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
    const service = await startService(async (response, request) => {
      const isList = request.method === 'GET';
      if (!isList) {
        running.push(JSON.parse(request.body.toString()).max_tokens);
        asked.emit('asked');
        await mayAnswer;
      }
      const answer = isList ? LISTING : { ...wholeChatCompletion(SAID, 'm'), usage: used };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    closeLater(() => service.close());
    const upstream = createHosted({ baseAddress: service.baseAddress, serviceKey: SERVICE_KEY });
    closeLater(() => upstream.close());
    // $10 per 1M tokens of output: a dollar covers 100,000.
    const { port } = await startGateway({ upstream, localKeys: [keyWith(tokens / 100_000)], books });
    const path = '/api/v1/chat/completions';
    const answers = Array.from({ length: count }, () => send({ port, path, body: question('chat-completions') }));
    while (running.length < 3) await once(asked, 'asked');
    const held = [...running];
    answerAll();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    assert.deepEqual(statuses, Array(count).fill(200));
    const [first = 0, second = 0] = held;
    assert.ok(first > 2_400 && first < 2_500 && second > 1_200 && second < 1_250, held.join());
    assert.ok(sumOf(held) < tokens, held.join());
    assert.ok(running.length === count && running.every((limit) => limit >= 256 && limit < 2_500), running.join());
  });
});

describe('an upstream that refuses the name of a limit that the gateway has set', () => {
  afterEach(closeAll);

  it('gets it under the other name, at once from then on', async () => {
    const refusing = ({ body }: AskedRequest) => {
      if (body.max_tokens === undefined) return SAID;
      const message =
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
      return { status: 400, body: { error: { message, param: 'max_tokens', code: 'unsupported_parameter' } } };
    };
    const books = new Bookkeeper();
    closeLater(() => books.close());
    const limited = await startLimited(keyWith(0.1), refusing, { books });
    const path = '/api/v1/chat/completions';
    for (const times of [2, 3]) {
      const answer = await send({ port: limited.port, path, body: question('chat-completions') });
      assert.equal(answer.status, 200, answer.body.toString());
      const asked = askedOf(limited);
      assert.equal(asked.length, times);
      const limit = asked.at(-1)?.body.max_completion_tokens;
      assert.equal(answer.headers[HEADER], String(limit));
      assert.ok(limit > 4_000, String(limit));
    }
  });

  it('returns its refusal if the caller has chosen the name', async () => {
    const body = { error: { message: "Unsupported parameter: 'max_tokens'." } };
    const { ask, server } = await start(keyWith(0.1, { lowersLimits: true }), { status: 400, body });
    const { answer } = await ask('chat-completions', question('chat-completions', { max_tokens: 20_000 }));
    assert.equal(answer.status, 400);
    assert.equal(server.requests.filter(({ format }) => format !== undefined).length, 1);
  });
});

describe('a model that no upstream lists', () => {
  afterEach(closeAll);

  for (const format of FORMAT_NAMES) {
    it(`does not exist for a key with a budget in dollars, in ${format}`, async () => {
      const { ask } = await start(keyWith(0.1));
      const { answer, record, asked } = await ask(format, question(format, { model: 'unheard-of', max_tokens: 5 }));
      assert.deepEqual([answer.status, record.end, asked], [404, 'refused', undefined]);
      assert.match(JSON.parse(answer.body.toString()).error.message, /"unheard-of" does not exist/);
    });
  }

  it('has no known price if it is listed without one', async () => {
    const { ask } = await start(keyWith(0.1));
    const { answer } = await ask('messages', question('messages', { model: 'unpriced', max_tokens: 5 }));
    assert.equal(answer.status, 402);
  });
});

describe('a translated request whose budget in tokens does not cover its longest answer', () => {
  afterEach(closeAll);

  for (const caller of ['chat-completions', 'responses'] as const) {
    for (const upstream of FORMAT_NAMES.filter((each) => each !== caller)) {
      it(`has a lower limit in the format of ${upstream}, from ${caller}`, async () => {
        const books = new Bookkeeper();
        closeLater(() => books.close());
        const budgets = [{ amount: 4_000, unit: 'tokens' as const, period: 'total' as const }];
        const localKeys = [{ id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0, budgets }];
        const router = await startRouter([{ formats: [upstream], script: () => SAID }], {}, { books, localKeys });
        const path = `/api/v1${wireFormats[caller].path}`;
        const answer = await send({ port: router.port, path, body: question(caller) });
        assert.equal(answer.status, 200);
        const asked = router.servers[0]?.requests.find(({ format }) => format !== undefined)?.body;
        const limit = asked[LIMITS[upstream]] ?? asked.max_completion_tokens;
        assert.ok(limit > 1_900 && limit < 2_000, String(limit));
        assert.equal(answer.headers[HEADER], String(limit));
      });
    }
  }
});

describe('parallel requests with lower limits', () => {
  const plan = fc.record({ inputTokens: fc.nat({ max: 500 }), maxOutputTokens: fc.integer({ min: 1, max: 64_000 }) });

  it('never reserve more than the budget, and leave half of what was left to the others', () => {
    const property = fc.property(
      fc.array(plan, { maxLength: 20 }),
      fc.integer({ min: 1, max: 100_000 }),
      fc.boolean(),
      (plans, amount, inDollars) => {
        const budgets = freshBudgets();
        const key = inDollars ? dollars(amount / 1e5) : tokens(amount);
        const prices = { inputPrice: 1, outputPrice: 10 };
        for (const each of plans) {
          const planned = { model: 'm', ...each, prices };
          const verdict = budgets.ask(key, { ...planned, canBeLowered: true });
          if (verdict.ok || verdict.refusal.room === undefined) continue;
          const { free } = verdict.refusal.room;
          const limit = affordableOutput(planned, verdict.refusal.room, 1);
          if (limit === undefined) continue;
          assert.ok(limit >= 256 && limit < each.maxOutputTokens);
          const lower = budgets.ask(key, { ...planned, maxOutputTokens: limit });
          assert.ok(lower.ok, 'the room covers it');
          const share = maxOf({ ...planned, maxOutputTokens: limit })[inDollars ? 'cost' : 'tokens'] ?? 0;
          assert.ok(share <= free && (limit <= 1_024 || share <= free / 2));
        }
      },
    );
    fc.assert(property, { numRuns: runs(100) });
  });
});
