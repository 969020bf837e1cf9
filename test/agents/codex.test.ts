import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FormatName } from '../../src/formats/conversation.ts';
import { Bookkeeper } from '../../src/gateway/exchanges/bookkeeper.ts';
import { Router } from '../../src/gateway/routing/router.ts';
import { Sandbox } from '../../src/gateway/upstreams/sandbox/sandbox.ts';
import { chatCompletionEvents } from '../support/modelServer/chatCompletions.ts';
import { messageEvents } from '../support/modelServer/messages.ts';
import type { Answer, Script } from '../support/modelServer/modelServer.ts';
import { responseEvents } from '../support/modelServer/responses.ts';
import type { Said } from '../support/modelServer/script.ts';
import { STRICT_SERVERS } from '../support/strictServers.ts';
import { askedOf, issued, SEARCHING, startLimited, withBudget } from '../unit/gateway/budgets/limited.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater, startGateway } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';
import { type CodexOptions, type CodexRun, needCodex, runCodex } from './support/codex.ts';
import { CodingModel } from './support/codingModel.ts';
import { prepareTask, type Task } from './support/task.ts';

/** Codex behaves differently depending on the model's name. */
const MODELS = [
  { model: 'unknown-model', tools: 'flat functions and a namespace', writesBy: 'command_execution' },
  { model: 'gpt-5.5', tools: 'a free-form tool with a grammar', writesBy: 'file_change' },
  { model: 'gpt-6-sol', tools: 'namespaces that come as an item of the input', writesBy: 'command_execution' },
];
const EVENTS = { 'chat-completions': chatCompletionEvents, messages: messageEvents, responses: responseEvents };
const UPSTREAMS = ['chat-completions', 'messages'] satisfies FormatName[];
/** Servers that refuse what Codex sends. */
const CODEX_STRICT: ReadonlySet<string> = new Set(['Kimi', 'DeepSeek', "Gemini's compatible address"]);
const LAMPS = fileURLToPath(new URL('support/lampsProcess.ts', import.meta.url));
/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** Codex leaves compaction only to servers with this name. */
const COMPACTING = ['model_providers.gateway.name="OpenAI"', 'model_auto_compact_token_limit=200000'];

/** Returns a stream whose usage says that the conversation fills most of a context window. */
function withLongPrompt(upstream: FormatName, said: Said, model: string): Answer {
  const body = EVENTS[upstream](said, model)
    .join('')
    .replaceAll(/"(prompt_tokens|input_tokens)":\d+/g, '"$1":300000');
  return { status: 200, body, headers: { 'content-type': 'text/event-stream' } };
}

/** Adds items of tools that the server runs to the events of an answer, before its own items. */
function withItems(events: readonly string[], items: readonly object[]): string {
  const event = (data: { type: string; output_index: number; item: object }) =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const own = items.flatMap((item, place) => [
    event({ type: 'response.output_item.added', output_index: 100 + place, item }),
    event({ type: 'response.output_item.done', output_index: 100 + place, item }),
  ]);
  const listed = JSON.stringify(items).slice(1, -1);
  return [...events.slice(0, 2), ...own, ...events.slice(2)]
    .join('')
    .replace(/"output":\[(?=\{)/, `"output":[${listed},`);
}

describe('Codex through the gateway', () => {
  const program = needCodex();
  let task: Task;
  beforeEach(async () => {
    task = await prepareTask();
    closeLater(() => task.remove());
  });
  afterEach(closeAll);

  async function work(upstream: FormatName, script: Script, options: Partial<CodexOptions> = {}) {
    const gateway = await startRouter([{ formats: [upstream], script }]);
    const { folder, prompt } = task;
    const given = { port: gateway.port, key: LOCAL_KEY, model: 'unknown-model', folder, prompt, ...options };
    return { ...gateway, run: await runCodex(program(), given) };
  }

  function assertDone(run: CodexRun, mind: CodingModel, answer = task.password): void {
    assert.deepEqual(mind.complaints, [], 'the upstream had nothing to complain of');
    assert.equal(run.code, 0, run.output);
    assert.ok(run.answer.includes(answer), run.output);
  }

  for (const upstream of UPSTREAMS) {
    describe(`on ${upstream}`, () => {
      for (const { model, tools, writesBy } of MODELS) {
        it(`completes a task with model "${model}" and ${tools}`, async () => {
          const mind = new CodingModel(task.steps);
          const { run } = await work(upstream, mind.script, { model });
          assertDone(run, mind);
          assert.ok(run.done.includes(writesBy), run.output);
          assert.deepEqual(run.reached, [], 'nothing but the gateway was called');
          if (upstream === 'messages') assert.ok(mind.provenThoughts > 0, 'its reasoning came back with signatures');
        });
      }

      const ofServer = upstream === 'messages' ? 'gpt-5.5' : 'unknown-model';
      it(`uses an MCP server’s tool with model "${ofServer}"`, async () => {
        const mind = new CodingModel([{ tool: 'lamp_state', values: { lamp: 'A' } }]);
        const server = `{command=${JSON.stringify(process.execPath)},args=[${JSON.stringify(LAMPS)}]}`;
        const settings = [`mcp_servers.lamps=${server}`];
        const { run } = await work(upstream, mind.script, { model: ofServer, settings });
        assertDone(run, mind, 'Lamp A is green.');
      });

      it('continues after a stream is interrupted', async () => {
        const mind = new CodingModel(task.steps);
        let asked = 0;
        const { run, records } = await work(upstream, (request) => {
          asked += 1;
          const answer = mind.script(request);
          return asked === 2 && typeof answer === 'object' ? { ...answer, afterEvents: 4, ending: 'cut' } : answer;
        });
        assertDone(run, mind);
        assert.equal(records[1]?.end, 'upstreamFailed');
      });

      it('sends images to the model', async () => {
        const picture = join(task.folder, 'pixel.png');
        await writeFile(picture, Buffer.from(PNG, 'base64'));
        const { run, servers } = await work(upstream, () => ({ parts: [{ text: 'Red.' }] }), {
          prompt: 'What is it?',
          args: ['-i', picture],
        });
        assert.equal(run.answer, 'Red.', run.output);
        const sent = JSON.stringify(servers[0]?.requests[0]?.body);
        assert.match(sent, upstream === 'messages' ? /"media_type":"image\/png"/ : /"url":"data:image\/png;base64,/);
      });
    });
  }

  for (const { name, model, refuse } of STRICT_SERVERS.filter((server) => CODEX_STRICT.has(server.name))) {
    it(`completes a task on a server as strict as ${name}`, async () => {
      const mind = new CodingModel(task.steps);
      let refusals = 0;
      const { run } = await work(
        'chat-completions',
        (request) => {
          const refused = request.format === undefined ? undefined : refuse(request.body);
          refusals += refused === undefined ? 0 : 1;
          return refused ?? mind.script(request);
        },
        { model, settings: ['model_reasoning_effort="xhigh"', 'model_supports_reasoning_summaries=true'] },
      );
      assertDone(run, mind);
      assert.ok(refusals > 0 && refusals <= 3, `refused ${refusals} times`);
    });
  }

  for (const upstream of UPSTREAMS) {
    it(`continues after its conversation was compacted, on ${upstream}`, async () => {
      const summary = 'The first command has run. Only the last word is left to say.';
      const asked: ('summary' | 'continued' | 'begun')[] = [];
      const script: Script = ({ text, body }) => {
        const isSummary = text.includes('Summarize the conversation so far');
        const kind = isSummary ? 'summary' : text.includes(summary) ? 'continued' : 'begun';
        asked.push(kind);
        if (kind === 'summary') return { parts: [{ text: summary }] };
        if (kind === 'continued') return { parts: [{ text: 'The last word.' }] };
        const call = { call: 'call_1', name: 'exec_command', arguments: '{"cmd":"true"}' };
        return withLongPrompt(upstream, { parts: [call] }, body.model);
      };
      const { run } = await work(upstream, script, { settings: COMPACTING });
      assert.equal(run.code, 0, run.output);
      assert.equal(run.answer, 'The last word.', run.output);
      assert.deepEqual(asked, ['begun', 'summary', 'continued']);
    });
  }

  const atCap = [
    {
      when: 'has reached',
      cap: 0.1,
      asked: 1,
      says: /This session has used \$0\.[1-9]\d* of its cap of \$0\.10 .*Retrying does not help/,
    },
    {
      when: 'would exceed',
      cap: 0.001,
      asked: 0,
      says: /This request needs about \$0\.0\d+\. Nothing was sent or charged/,
    },
  ];
  for (const { when, cap, asked, says } of atCap) {
    it(`stops after one refusal if its session ${when} its cap, and shows the reason`, async () => {
      const key = issued({ limits: { sessionDollars: cap } });
      const call = { call: 'call_1', name: 'exec_command', arguments: '{"cmd":"true"}' };
      const books = new Bookkeeper();
      const gateway = await startLimited(
        key,
        ({ body }) => withLongPrompt('responses', { parts: [call] }, body.model),
        { books },
      );
      const { folder, prompt } = task;
      const run = await runCodex(program(), { port: gateway.port, key: key.secret, model: 'model-a', folder, prompt });
      assert.notEqual(run.code, 0, run.output);
      assert.equal(askedOf(gateway).length, asked, run.output);
      const refused = gateway.records.filter(({ end }) => end === 'budget');
      assert.deepEqual(
        refused.map(({ status }) => status),
        [400],
      );
      assert.match(run.output, says);
      await books.close();
    });
  }

  it('searches the web with a key whose budget limits its searches, and pays for them', async () => {
    const key = withBudget(10, 'usd');
    const books = new Bookkeeper();
    const search = {
      ...{ type: 'web_search_call', id: 'ws_1', status: 'completed' },
      action: { type: 'search', query: 'the tide' },
    };
    const gateway = await startLimited(
      key,
      ({ body }) => ({ stream: withItems(responseEvents({ parts: [{ text: 'Low tide.' }] }, body.model), [search]) }),
      { books },
    );
    const { folder } = task;
    const asking = { port: gateway.port, key: key.secret, model: SEARCHING, folder, prompt: 'Look up the tide.' };
    const run = await runCodex(program(), { ...asking, settings: ['web_search="live"'] });
    assert.deepEqual([run.code, run.answer], [0, 'Low tide.'], run.output);
    assert.ok(run.done.includes('web_search'), run.output);
    const [asked] = askedOf(gateway);
    assert.ok(asked?.body.tools.some(({ type }: { type: string }) => type === 'web_search'));
    assert.equal(asked?.body.max_tool_calls, 3);
    const [record] = gateway.records.filter(({ endpoint }) => endpoint === '/responses');
    assert.deepEqual([record?.usage?.webSearches, record?.usageIsEstimated], [1, undefined]);
    await books.close();
  });

  it('completes a task on a responses upstream with requests passed through', async () => {
    const mind = new CodingModel(task.steps);
    assertDone((await work('responses', mind.script)).run, mind);
  });

  describe('on the sandbox', () => {
    /** Asks the sandbox, whose models have other names, so that the names that Codex knows are aliases. */
    async function ask(model: string, prompt: string) {
      const sandbox = new Sandbox({ delayMs: 0 });
      const router = new Router([{ upstream: sandbox, hasBalance: true }], { [model]: 'familyc-5.3-codex' });
      closeLater(() => router.close());
      const { port } = await startGateway({ upstream: router });
      return runCodex(program(), { port, key: LOCAL_KEY, model, folder: task.folder, prompt });
    }

    it('gets an answer with model "gpt-5.5"', async () => {
      const run = await ask('gpt-5.5', task.prompt);
      assert.equal(run.code, 0, run.output);
      assert.match(run.answer, /sandbox/);
    });

    for (const [model, prompt] of [
      ['unknown-model', 'Use exec_command with cmd="node first.mjs".'],
      ['gpt-6-sol', 'Use exec with `text((await tools.exec_command({ cmd: "node first.mjs" })).output)`.'],
    ] as const) {
      it(`runs a command with model "${model}"`, async () => {
        await writeFile(join(task.folder, 'first.mjs'), `console.log('${task.password}');`);
        const run = await ask(model, prompt);
        assert.equal(run.code, 0, run.output);
        assert.ok(run.answer.includes(task.password), run.output);
      });
    }
  });
});
