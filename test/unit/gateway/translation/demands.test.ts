import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { wireFormats } from '../../../../src/formats/index.ts';
import { runs } from '../../../support/randomRuns.ts';
import { send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { PAIRS, startRouter } from '../support/routed.ts';
import { checkDemands } from './demands.ts';
import { randomRequest, written } from './randomRequest.ts';

for (const { caller, upstream } of PAIRS) {
  describe(`any conversation of ${caller} callers on ${upstream} upstreams`, () => {
    afterEach(closeAll);

    it('is sent as services of the format demand', async () => {
      const { port, servers } = await startRouter([
        { formats: [upstream], script: () => ({ parts: [{ text: 'ok' }] }) },
      ]);
      const path = `/api/v1${wireFormats[caller].path}`;
      await fc.assert(
        fc.asyncProperty(randomRequest, async (wanted) => {
          const { status, body } = await send({ port, path, body: JSON.stringify(written(caller, wanted)) });
          assert.equal(status, 200, body.toString());
          checkDemands[upstream](servers[0]?.requests.at(-1)?.body);
        }),
        { numRuns: runs(30) },
      );
    });
  });
}
