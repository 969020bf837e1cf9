import assert from 'node:assert/strict';
import { ContextMeter } from '../../../src/gateway/context/contextMeter.ts';
import { Tokenizer } from '../../../src/gateway/counting/tokenizer.ts';
import { billedContext } from '../../../src/ledger/contextCost.ts';
import { type ContextFinding, contextFindings } from '../../../src/ledger/contextFindings.ts';
import type { ContextRow } from '../../../src/ledger/contextRow.ts';
import { toBillionths } from '../../../src/ledger/cost.ts';
import { contextOf } from '../../../src/ledger/sessionContext.ts';
import { ContextScript, SHAPES } from '../../support/contextScripts.ts';

const tokenizer = new Tokenizer();
const PRICES = { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3, cacheWritePrice: 3.75 };
const READ_PRICE = 300;

/** Writes a session and measures each of its requests. */
class MeasuredSession {
  readonly script: ContextScript;
  readonly rows: ContextRow[] = [];
  readonly #meter = new ContextMeter((text) => tokenizer.count(text));

  constructor(seed: number) {
    const shape = SHAPES[seed % SHAPES.length];
    assert.ok(shape);
    this.script = new ContextScript(shape, seed);
    this.script.session.ask('Fix the failing tests.');
    // Every tool is called once, so that none is unused.
    const { session } = this.script;
    for (const { name, server } of session.tools) {
      this.send();
      const call = { name, args: { query: name }, result: this.script.prose(200) };
      session.step([server === undefined ? call : { ...call, server }]);
    }
  }

  send(miss?: ContextRow['miss']): void {
    const { shape, session } = this.script;
    const context = this.#meter.measure({ model: shape.model, lane: 'session', body: session.request() });
    assert.ok(context);
    const inputTokens = Math.round(context.order.filter((_, index) => index % 2 === 1).reduce((sum, n) => sum + n, 0));
    const cachedInputTokens = miss === undefined ? Math.floor(inputTokens * 0.9) : 0;
    const cacheWriteTokens = inputTokens - cachedInputTokens;
    const usage = { inputTokens, outputTokens: 100, cachedInputTokens, cacheWriteTokens };
    const billed = billedContext(context, usage, PRICES);
    const paid = billed.parts.reduce((sum, { cost = 0 }) => sum + cost, 0);
    const { cachedInputPrice, cacheWritePrice } = PRICES;
    assert.equal(paid, Math.round(1000 * (cachedInputTokens * cachedInputPrice + cacheWriteTokens * cacheWritePrice)));
    this.rows.push({
      id: String(this.rows.length),
      sessionId: 'session',
      at: this.rows.length,
      inputTokens,
      ...billed,
      ...(miss !== undefined && { miss }),
      readPrice: READ_PRICE,
    });
  }

  work(steps: number): void {
    for (let step = 0; step < steps; step++) {
      this.script.work();
      this.send();
    }
  }

  /** The dollars that the parts of one kind have cost, in billionths. */
  costOf(choose: (part: ContextRow['parts'][number]) => boolean, from = 0): number {
    const parts = this.rows.slice(from).flatMap((row) => row.parts.filter(choose));
    return parts.reduce((sum, { cost = 0 }) => sum + cost, 0);
  }
}

/** What is planted in a session, and the findings that it must have. */
interface Planted {
  readonly name: string;
  readonly plant: (session: MeasuredSession) => readonly (readonly [kind: string, name: string])[];
}

/** Bytes that a picture of this size begins with. */
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d4948445200000400000003000802000000', 'hex').toString('base64');

const PLANTED: readonly Planted[] = [
  {
    name: 'nothing',
    plant: (session) => {
      session.work(20);
      return [];
    },
  },
  {
    name: 'a server that is never called',
    plant: (session) => {
      const { script } = session;
      const tools = ['search', 'fetch'].map((tool) => ({
        ...script.tool(script.shape.toolName('docs', tool)),
        server: 'docs',
      }));
      script.session.tools.push(...tools);
      session.work(12);
      return [['unused_server', 'docs']];
    },
  },
  {
    name: 'a tool that is never called',
    plant: (session) => {
      session.script.session.tools.push(session.script.tool('Schedule'));
      session.work(15);
      return [['unused_tool', 'Schedule']];
    },
  },
  {
    name: 'the same file twice',
    plant: (session) => {
      const call = session.script.read();
      session.script.session.step([call]);
      session.work(3);
      session.script.session.step([call]);
      session.work(4);
      return [['repeated_result', 'Read']];
    },
  },
  {
    name: 'a log that nothing mentions',
    plant: (session) => {
      const lines = Array.from({ length: 400 }, (_, line) => `qqLine_${line} zzStatus_${line * 7} wwCount_${line}`);
      session.script.session.step([{ name: 'Bash', args: { command: 'make all' }, result: lines.join('\n') }]);
      session.work(10);
      return [['unused_result', 'Bash']];
    },
  },
  {
    name: 'a log that a later answer mentions',
    plant: (session) => {
      const lines = Array.from({ length: 400 }, (_, line) => `qqLine_${line} zzStatus_${line * 7} wwCount_${line}`);
      session.script.session.step([{ name: 'Bash', args: { command: 'make all' }, result: lines.join('\n') }]);
      session.send();
      session.script.session.step([session.script.read()], 'The cause is zzStatus_70, which is wrong.');
      session.work(10);
      return [];
    },
  },
  {
    name: 'a compaction',
    plant: (session) => {
      session.work(10);
      session.script.session.compact(
        `This session is being continued from a previous conversation that ran out of context. ${session.script.prose(800)}`,
      );
      session.send({ reason: 'compacted', cost: 5_000_000 });
      session.work(5);
      return [
        ['compaction_cost', ''],
        ['compaction_saved', ''],
      ];
    },
  },
  {
    name: 'a server whose definitions changed',
    plant: (session) => {
      const { script } = session;
      session.work(3);
      script.session.tools.push({ ...script.tool(script.shape.toolName('docs', 'search')), server: 'docs' });
      session.send({ reason: 'tools_changed', cost: 9_000_000 });
      const name = script.shape.toolName('docs', 'search');
      script.session.step([{ name, server: 'docs', args: { query: 'x' }, result: 'nothing' }]);
      session.work(12);
      return [['tools_changed', 'docs']];
    },
  },
];

function named(findings: readonly ContextFinding[]) {
  return findings.map(({ kind, name }) => [kind, name]).sort();
}

describe('the findings of a session', () => {
  for (const [index, { name, plant }] of PLANTED.entries()) {
    for (const [offset, { client }] of SHAPES.entries()) {
      it(`are exactly those of ${name}, in the form of ${client}`, () => {
        const session = new MeasuredSession(index * SHAPES.length + offset);
        const expected = plant(session);
        assert.deepEqual(named(contextFindings(session.rows)), expected.map((each) => [...each]).sort());
      });
    }
  }

  it('are all of those that are planted in a session of 200 steps, and no others', () => {
    const session = new MeasuredSession(1);
    const { script } = session;
    script.session.tools.push({ ...script.tool(script.shape.toolName('docs', 'search')), server: 'docs' });
    const read = script.read();
    const lines = Array.from({ length: 400 }, (_, line) => `qqLine_${line} zzStatus_${line * 7} wwCount_${line}`);
    script.session.step([read]);
    session.work(60);
    script.session.step([{ name: 'Bash', args: { command: 'make all' }, result: lines.join('\n') }]);
    session.work(60);
    script.session.step([read]);
    session.work(80);
    assert.ok(session.rows.length > 200);
    assert.deepEqual(named(contextFindings(session.rows)), [
      ['repeated_result', 'Read'],
      ['unused_result', 'Bash'],
      ['unused_server', 'docs'],
    ]);
  }).timeout(30_000);

  it('name an image that later requests carry, and cost what these have paid for it', () => {
    const session = new MeasuredSession(0);
    session.script.session.step([{ name: 'Read', args: { query: 'shot' }, result: 'A picture:', image: PICTURE }]);
    const first = session.rows.length;
    session.work(9);
    const [finding, ...others] = contextFindings(session.rows);
    assert.deepEqual(others, []);
    assert.equal(finding?.kind, 'carried_image');
    assert.equal(
      toBillionths(finding?.cost ?? 0),
      session.costOf(({ kind }) => kind === 'images', first + 1),
    );
  });

  it('name a tool whose definition changed under the same name', () => {
    const session = new MeasuredSession(0);
    session.work(2);
    session.send({ reason: 'tools_changed', cost: 7_000_000 });
    const [last] = session.rows.splice(-1);
    assert.ok(last);
    const parts = last.parts.map((part) =>
      part.kind === 'tools' && part.name === 'Bash' ? { ...part, isChanged: true as const } : part,
    );
    session.rows.push({ ...last, parts });
    const [finding] = contextFindings(session.rows);
    assert.deepEqual([finding?.kind, finding?.name, finding?.cost], ['tools_changed', 'Bash', 0.007]);
  });

  it('name instructions that are in the context twice', () => {
    const session = new MeasuredSession(0);
    const pieces = session.script.session.pieces;
    const instructions = pieces.find(({ kind }) => kind === 'instructions')?.text ?? '';
    session.script.session.ask(instructions);
    session.work(3);
    const [finding, ...others] = contextFindings(session.rows);
    assert.deepEqual(others, []);
    assert.equal(finding?.kind, 'repeated_instructions');
    assert.equal(finding?.name, 'CLAUDE.md');
  });

  it('have the dollars of their parts, and the sums of a session are those of its requests', () => {
    const session = new MeasuredSession(5);
    session.script.session.tools.push(session.script.tool('Schedule'));
    session.work(25);
    const { findings, inputCost, inputTokens, parts, steps } = contextOf(session.rows);
    const [unused] = findings;
    assert.equal(
      toBillionths(unused?.cost ?? 0),
      session.costOf(({ kind, name }) => kind === 'tools' && name === 'Schedule'),
    );
    assert.equal(
      toBillionths(inputCost),
      session.costOf(() => true),
    );
    assert.equal(
      parts.reduce((sum, { cost }) => sum + toBillionths(cost), 0),
      toBillionths(inputCost),
    );
    assert.equal(
      steps.reduce((sum, { tokens }) => sum + tokens.reduce((all, each) => all + each, 0), 0),
      inputTokens,
    );
  });

  it('count the calls of a tool for its definition and its results, and the steps that carried it', () => {
    const session = new MeasuredSession(1);
    session.work(5);
    const { parts, requests } = contextOf(session.rows);
    const ofRead = parts.filter(({ name, file }) => name === 'Read' && file === undefined);
    const definition = ofRead.find(({ kind }) => kind === 'tools');
    assert.ok((definition?.calls ?? 0) >= 6);
    assert.deepEqual(new Set(ofRead.map(({ calls }) => calls)), new Set([definition?.calls]));
    assert.deepEqual(definition?.steps, [[0, requests - 1]]);
  });
});
