import assert from 'node:assert/strict';
import { closeAll } from '../support/gateway.ts';
import { startPickyServer } from './pickyServer.ts';
import { CONVERSATIONS } from './reported/conversations.ts';
import { MEMBERS } from './reported/members.ts';
import { SCHEMAS } from './reported/schemas.ts';

describe('a refusal that users have reported', () => {
  afterEach(closeAll);

  for (const { source, caller, upstream, body, status = 400, answer, refuses } of [
    ...CONVERSATIONS,
    ...MEMBERS,
    ...SCHEMAS,
  ]) {
    it(`is repaired or prevented, and remembered: ${source}`, async () => {
      const server = await startPickyServer((sent) => (refuses(sent) ? { status, body: answer } : undefined), upstream);
      const first = await server.ask(caller, body);
      assert.equal(first.status, 200, first.text);
      const tries = server.bodies().length;
      assert.ok(tries <= 4);
      assert.equal((await server.ask(caller, body)).status, 200);
      assert.equal(server.bodies().length, tries + 1);
    });
  }
});
