/** Halves of characters, as they remain where a client has cut a text: many servers refuse a request that has one. */
import assert from 'node:assert/strict';
import { wireFormats } from '../../../../src/formats/index.ts';
import { CallerRequest } from '../../../../src/gateway/core/callerRequest.ts';
import type { Endpoint } from '../../../../src/gateway/core/endpoint.ts';
import { MemoryResponseStore } from '../../../../src/gateway/translation/memoryResponseStore.ts';
import { translate } from '../../../../src/gateway/translation/translation.ts';
import { PAIRS } from '../support/routed.ts';

/** As JSON: a half, a whole character in escapes of both cases, escapes that are text, and a half at the end. */
const WRITTEN = String.raw`cut \ud83d here, \uD83D\ude00 \uDE00 \\ud83d \\\ud83d \ud83d\n\ud83d`;
const MEANT = 'cut \uFFFD here, 😀 \uFFFD \\ud83d \\\uFFFD \uFFFD\n\uFFFD';

/** The lengths of a text that are written in different ways: whole, copied as bytes, and in pieces. */
const LENGTHS = { 'a short request': 0, 'a long request': 300_000, 'a very long request': 9_000_000 };

describe('halves of characters are replaced in the request for an upstream', () => {
  for (const { caller, upstream } of PAIRS) {
    for (const [name, length] of Object.entries(LENGTHS)) {
      it(`of ${caller} for ${upstream} in ${name}`, async () => {
        const text = `${WRITTEN} ${'a '.repeat(length / 2)}`;
        const said = caller === 'responses' ? 'input' : 'messages';
        const limit = caller === 'responses' ? 'max_output_tokens' : 'max_tokens';
        const body = `{"model":"m","${limit}":50,"${said}":[{"role":"user","content":"${text}"}]}`;
        const request = new CallerRequest({
          endpoint: wireFormats[caller].path as Endpoint,
          method: 'POST',
          subpath: '',
          query: '',
          headers: {},
          localKeyId: 'k',
          callerFormat: caller,
          body: Buffer.from(body),
        });
        assert.equal(await request.read(), undefined);
        const decoded = request.decoded();
        assert.ok(!('kind' in decoded));
        const store = new MemoryResponseStore();
        const translated = translate(request.original, decoded, wireFormats[upstream], 'm', store);
        assert.ok(!('kind' in translated));
        const written = (await translated.writeBody?.()) ?? Buffer.from(translated.request.body ?? '');
        const read = JSON.stringify(JSON.parse(Buffer.from(written).toString()));
        assert.ok(read.includes(JSON.stringify(MEANT).slice(1, -1)), read.slice(0, 400));
        assert.doesNotMatch(read.replaceAll('\\\\', ''), /\\u[dD][89a-fA-F]/);
      });
    }
  }
});
