import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { FORMAT_NAMES } from '../../src/formats/conversation.ts';
import { WindowBranches } from '../../src/gateway/core/windowBranches.ts';
import { markedAddress } from '../../src/rules/windowMark.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';
import { AI_SDK_CLIENTS } from './support/aiSdkClients.ts';
import { ANTHROPIC_CLIENTS } from './support/anthropicClient.ts';
import { OPENAI_CLIENTS } from './support/openaiClients.ts';
import { MODEL } from './support/sdkClient.ts';

const SHOP = { repository: 'orchard/shop', branch: 'feature/totals' };

/** Starts a gateway that knows one window, and returns its address in the terminals of that window. */
async function start() {
  const branches = new WindowBranches();
  branches.set({}, { mark: 'mark', branch: SHOP });
  const script = () => ({ parts: [{ text: 'Hello' }] });
  const running = await startRouter([{ formats: FORMAT_NAMES, script }], {}, { findBranch: branches.find });
  running.gateway.setRecordingRepositories(true);
  const address = markedAddress(`http://127.0.0.1:${running.port}/api/v1`, 'mark');
  return { ...running, address, root: address.replace(/\/v1$/, ''), key: LOCAL_KEY };
}

describe('the address of the gateway in a terminal', () => {
  afterEach(closeAll);

  for (const { name, create } of [...OPENAI_CLIENTS, ...ANTHROPIC_CLIENTS, ...AI_SDK_CLIENTS]) {
    it(`keeps the mark of its window with ${name}`, async () => {
      const gateway = await start();
      for (const stream of [false, true]) {
        const recorded = gateway.nextRecord();
        assert.equal((await create(gateway).ask({ text: 'Hello', stream })).text, 'Hello');
        const { repository, branch } = await recorded;
        assert.deepEqual({ repository, branch }, SHOP);
      }
    });
  }

  it('keeps the mark of its window with openai over a WebSocket', async () => {
    const { address, key, nextRecord } = await start();
    const socket = new ResponsesWS(new OpenAI({ baseURL: address, apiKey: key }));
    const recorded = nextRecord();
    socket.send({ type: 'response.create', model: MODEL, input: 'Hello' });
    const { repository, branch } = await recorded;
    socket.close();
    assert.deepEqual({ repository, branch }, SHOP);
  });
});
