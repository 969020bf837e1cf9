import assert from 'node:assert/strict';
import { RecordedBody } from '../../../../src/gateway/traffic/recordedBody.ts';

const EVENT = 'data: {"type":"ping"}\n\n';

describe('the record of a body', () => {
  it('that arrives byte by byte has few pieces', () => {
    const body = new RecordedBody(() => true);
    const sent = EVENT.repeat(1_000);
    for (const character of sent) body.add(Buffer.from(character), 5);
    assert.equal(Buffer.concat(body.pieces.map(({ bytes }) => bytes)).toString(), sent);
    assert.ok(body.pieces.length <= 2_000, `${body.pieces.length} pieces`);
  });

  it('has the time of each event', () => {
    const body = new RecordedBody(() => true);
    for (const atMs of [1, 1.1, 7]) body.add(Buffer.from(EVENT), atMs);
    assert.deepEqual(
      body.pieces.map(({ atMs }) => atMs),
      [1, 1.1, 7],
    );
  });
});
