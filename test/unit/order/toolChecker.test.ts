/** The check of a connected tool, in any order of what is done and awaited. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ToolChecker } from '../../../src/editor/tools/connectPage/toolChecker.ts';
import type { ToolCheck } from '../../../src/pages/connectTool/protocol.ts';
import { CHECK_CLIENT } from '../../../src/tools/checkCall.ts';
import { TOOLS } from '../../../src/tools/toolList.ts';
import { AnyOrder, moments, type Step } from '../../support/anyOrder.ts';
import { EventEmitter } from '../../support/editorApi/vscode.ts';
import { schedules } from '../../support/randomRuns.ts';

type Action = 'check' | 'check twice' | 'use the tool' | 'stop the gateway' | 'start the gateway' | 'close';

const ACTIONS: readonly Action[] = [
  ...(['check', 'check twice', 'use the tool', 'stop the gateway', 'start the gateway', 'close'] as const),
];
const TOOL = TOOLS.find(({ id }) => id === 'codex') ?? assert.fail();
const ADDRESS = 'http://127.0.0.1:8787/api/v1';

class Person {
  readonly #order: AnyOrder;
  readonly #checker: ToolChecker;
  readonly #entered = new EventEmitter<void>();
  readonly #rows: { readonly client: string; readonly at: number; readonly status: number; readonly durationMs: 1 }[] =
    [];
  #isRunning = true;
  #isClosed = false;
  #asked = 0;
  #checks = 0;
  #shown: ToolCheck | undefined;
  #hasUsed = false;
  #isAskedLate = false;

  constructor(order: AnyOrder) {
    this.#order = order;
    const log = { warn: () => undefined };
    const readLedger = async () => {
      await order.delay('read the ledger');
      return { rows: this.#rows.toReversed() };
    };
    const services = { ledger: 'ledger', log, worker: { onDidEnter: this.#entered.event, rpc: { readLedger } } };
    const access = { address: ADDRESS, secret: 'key_secret', model: 'small', contextWindow: 1 };
    this.#checker = new ToolChecker(
      { tool: TOOL, access, keyId: 'id', keyName: 'Codex' } as never,
      services as never,
      (check) => this.#show(check),
    );
    Object.assign(globalThis, { fetch: (address: string) => this.#fetch(address) });
  }

  do(action: Action): unknown {
    switch (action) {
      case 'check':
        return this.#check();
      case 'check twice':
        return Promise.all([this.#check(), this.#checker.run()]);
      case 'use the tool':
        this.#hasUsed = true;
        return this.#enter('codex');
      case 'stop the gateway':
      case 'start the gateway':
        this.#isRunning = action === 'start the gateway';
        return undefined;
      case 'close':
        this.#isClosed = true;
        return this.#checker.dispose();
    }
  }

  /** What is true when everything has ended. */
  check(): void {
    assert.ok(this.#asked <= this.#checks, 'a double click has cost money twice');
    assert.equal(this.#isAskedLate, false, 'a request is sent for a page that is closed');
    if (this.#isClosed) return;
    const { tool, ...own } = this.#shown?.rows ?? {};
    for (const row of Object.values(own)) assert.notEqual(row.state, 'running', 'a check never ends');
    if (this.#shown !== undefined) assert.equal(tool?.state, this.#hasUsed ? 'passed' : 'waiting');
  }

  async #check(): Promise<void> {
    this.#checks += 1;
    await this.#checker.run();
  }

  #show(check: ToolCheck): void {
    assert.ok(!this.#isClosed, 'a page that is closed is told');
    this.#shown = check;
  }

  #enter(client: string): void {
    this.#rows.push({ client, at: Date.now(), status: 200, durationMs: 1 });
    this.#entered.fire();
  }

  async #fetch(address: string): Promise<Response> {
    const isQuestion = address.endsWith('/responses');
    this.#isAskedLate ||= this.#isClosed;
    if (isQuestion) this.#asked += 1;
    await this.#order.delay('fetch');
    if (!this.#isRunning) throw new TypeError('fetch failed');
    if (isQuestion) this.#enter(CHECK_CLIENT);
    return Response.json({});
  }
}

describe('the check of a connected tool, in any order of what is done and awaited', () => {
  const { fetch } = globalThis;
  after(() => {
    Object.assign(globalThis, { fetch });
  });

  it('asks the model once for a double click, ends, and tells nothing to a page that is closed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), moments(fc.constantFrom(...ACTIONS)), async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const person = new Person(order);
        for (const together of done) {
          order.plan(together.map((action): Step => ({ what: action, act: () => person.do(action) })));
          await order.run();
        }
        assert.deepEqual(order.errors, []);
        person.check();
      }),
      { numRuns: schedules(150) },
    );
  });
});
