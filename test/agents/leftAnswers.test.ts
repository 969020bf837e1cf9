import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { type TemporaryFolder, temporaryFolder } from '../../scripts/lib/temporaryFolder.ts';
import type { FormatName } from '../../src/formats/conversation.ts';
import { offersOf } from '../../src/gateway/core/upstream.ts';
import { Bookkeeper } from '../../src/gateway/exchanges/bookkeeper.ts';
import { Upstreams } from '../../src/gateway/routing/upstreams.ts';
import { issued } from '../unit/gateway/budgets/limited.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater, startGateway } from '../unit/gateway/support/gateway.ts';
import { BilledModel } from './support/billedModel.ts';
import { codexProgram, runCodex } from './support/codex.ts';

const TIMES = Number(process.env.LEFT_TIMES ?? 2);
/** File for the sums by client. */
const REPORT = process.env.LEFT_REPORT;
/** The program `claude` of Claude Code, which no test may download because of its license. */
const CLAUDE_CODE = process.env.CLAUDE_CODE_PROGRAM;
/** Some are read for longer. In tokens, of which the first 150 are hidden. */
const READ = [300, 600, 1200];
const PROMPT = 'Explain in detail how a compiler works.';
const LONG = 4_000;

interface Place {
  readonly port: number;
  readonly folder: string;
  /** Resolves when the client is to leave. */
  readonly left: Promise<void>;
}

const CLIENTS: readonly {
  readonly name: string;
  readonly format: FormatName;
  readonly isMissing?: () => boolean;
  readonly ask: (place: Place) => Promise<void>;
}[] = [
  {
    name: 'the OpenAI SDK',
    format: 'chat-completions',
    ask: async ({ port, left }) => {
      const client = new OpenAI({ apiKey: LOCAL_KEY, baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
      const messages = [{ role: 'user' as const, content: PROMPT }];
      const stream = await client.chat.completions.create({ model: 'billed', stream: true, messages });
      await readUntil(stream, left, () => stream.controller.abort());
    },
  },
  {
    name: 'the Anthropic SDK',
    format: 'messages',
    ask: async ({ port, left }) => {
      const client = new Anthropic({ apiKey: LOCAL_KEY, baseURL: `http://127.0.0.1:${port}`, maxRetries: 0 });
      const messages = [{ role: 'user' as const, content: PROMPT }];
      const stream = await client.messages.create({ model: 'billed', max_tokens: 32_000, stream: true, messages });
      await readUntil(stream, left, () => stream.controller.abort());
    },
  },
  {
    name: 'Codex',
    format: 'responses',
    isMissing: () => codexProgram() === undefined,
    ask: async ({ port, folder, left }) => {
      const options = { port, key: LOCAL_KEY, model: 'billed', folder, prompt: PROMPT };
      await runCodex(codexProgram() ?? '', { ...options, onStart: (child) => interrupt(child, left) });
    },
  },
  {
    name: 'Claude Code',
    format: 'messages',
    isMissing: () => CLAUDE_CODE === undefined,
    ask: async ({ port, folder, left }) => {
      const { PATH = '' } = process.env;
      const child = spawn(CLAUDE_CODE ?? '', ['-p', PROMPT, '--model', 'billed'], {
        cwd: folder,
        stdio: 'ignore',
        env: {
          PATH,
          HOME: folder,
          ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
          ANTHROPIC_API_KEY: LOCAL_KEY,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        },
      });
      interrupt(child, left);
      await once(child, 'close');
    },
  },
];

async function readUntil(stream: AsyncIterable<unknown>, left: Promise<void>, abort: () => void): Promise<void> {
  void left.then(abort);
  try {
    for await (const _ of stream);
  } catch (error) {
    if (!(error instanceof Error && /abort/i.test(`${error.name} ${error.message}`))) throw error;
  }
}

function interrupt(child: ChildProcess, left: Promise<void>): void {
  void left.then(() => child.kill('SIGINT'));
}

describe('answers that their client leaves in the middle', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    await closeAll();
    await folder.remove();
  });

  for (const { name, format, isMissing, ask } of CLIENTS) {
    it(`cost a key with a budget at least what was billed, and not much more: ${name}`, async function () {
      if (isMissing?.()) this.skip();
      const model = await BilledModel.start({ words: 100, noticeMs: 500 });
      closeLater(() => model.close());
      const upstreams = new Upstreams();
      closeLater(() => upstreams.close());
      const billed = { id: 'billed', baseUrl: model.baseUrl, formats: [format], models: ['*'] };
      const upstream = await upstreams.open({ kind: 'routed', upstreams: [billed] });
      closeLater(() => upstream.close());
      const ledger = join(folder.path, 'ledger.sqlite');
      const books = new Bookkeeper({ ledger });
      const key = issued({ budgets: [{ amount: 100, unit: 'usd', period: 'total' }] });
      const { port, gateway, errors } = await startGateway({ upstream, books, localKeys: [key] });
      await books.listings(offersOf(upstream, 'billed'));
      const work = (left: Promise<void>) => ask({ port, folder: folder.path, left });
      // Three whole answers tell how fast the model writes.
      await Promise.all([1, 2, 3].map(() => work(new Promise(() => undefined))));
      await model.isDone();
      const known = model.bill.length;
      model.words = LONG;
      for (let time = 0; time < TIMES; time++) {
        await work(model.hasWritten(READ[time % READ.length] ?? 0));
        await model.isDone();
      }
      await gateway.close(5_000);
      await books.close();
      const costs = costsIn(ledger);
      assert.deepEqual(errors, []);
      assert.equal(costs.length, model.bill.length, 'each request has a row');
      assert.deepEqual(costs.slice(0, known), model.bill.slice(0, known), 'what was reported is exact');
      const bill = sumOf(model.bill.slice(known));
      const cost = sumOf(costs.slice(known));
      const sums = `${name}: ${bill} billed, ${cost} entered`;
      if (REPORT !== undefined) writeFileSync(REPORT, `${sums}, ${costs.length - known} requests\n`, { flag: 'a' });
      // The two seconds in which an upstream may write on weigh most in short answers. A reservation is 25 times as much.
      assert.ok(cost >= bill && cost <= 3 * bill, sums);
    });
  }
});

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);

/** In the order of the requests. */
function costsIn(ledger: string): number[] {
  const database = new DatabaseSync(ledger, { readOnly: true });
  const rows = database.prepare('SELECT cost FROM exchanges WHERE cost IS NOT NULL ORDER BY at').all();
  database.close();
  return rows.map(({ cost }) => Number(cost));
}
