import assert from 'node:assert/strict';
import { FORMAT_NAMES } from '../../../../src/formats/conversation.ts';
import { pathOf, question } from '../budgets/limited.ts';
import { AUTHORIZED, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const TRACE = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'vendor=00f067aa0ba902b7,other=t61rcWkgMzE',
};

describe('the trace of a request', () => {
  afterEach(closeAll);

  for (const caller of FORMAT_NAMES) {
    for (const upstream of FORMAT_NAMES) {
      it(`reaches an upstream of ${upstream} from a client of ${caller}`, async () => {
        const script = () => ({ parts: [{ text: 'Hello' }] });
        const { port, servers } = await startRouter([{ script, formats: [upstream] }]);
        const headers = { ...AUTHORIZED, ...TRACE };
        const { status } = await send({ port, path: pathOf(caller), headers, body: question(caller) });
        assert.equal(status, 200);
        const { traceparent, tracestate } = servers[0]?.requests[0]?.headers ?? {};
        assert.deepEqual({ traceparent, tracestate }, TRACE);
      });
    }
  }
});
