/** Requests of coding agents with an error, in front of upstreams of each other format. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { CallerRequest } from '../../../../src/gateway/core/callerRequest.ts';
import type { Endpoint } from '../../../../src/gateway/core/endpoint.ts';
import { MemoryResponseStore } from '../../../../src/gateway/translation/memoryResponseStore.ts';
import { translate } from '../../../../src/gateway/translation/translation.ts';
import { runs } from '../../../support/randomRuns.ts';
import { mangled, mischief } from './mischief.ts';

const FOLDER = new URL('../../../fixtures/agents/', import.meta.url);

/** Number of cases for each pair of formats. */
const RUNS = { numRuns: runs(300) };

interface Recorded {
  readonly caller: FormatName;
  readonly body: string;
}

const recorded = readdirSync(FOLDER).map((file): Recorded => {
  const { path, body } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as { path: string; body: unknown };
  const caller = FORMAT_NAMES.find((name) => path.split('?', 1)[0]?.endsWith(wireFormats[name].path));
  assert.ok(caller !== undefined, path);
  return { caller, body: JSON.stringify(body) };
});

const deeds = fc.array(mischief, { minLength: 1, maxLength: 6 });

describe('a mutated request of an agent', () => {
  for (const caller of FORMAT_NAMES) {
    const requests = recorded.filter((request) => request.caller === caller);
    for (const upstream of FORMAT_NAMES.filter((name) => name !== caller)) {
      it(`of ${caller} is translated for ${upstream} into JSON, or refused with 400`, () => {
        const property = fc.property(fc.constantFrom(...requests), deeds, ({ body }, done) => {
          const mutated = done.reduce((text, { path, by }) => mangled(text, path, by), body);
          const original = {
            endpoint: wireFormats[caller].path as Endpoint,
            method: 'POST' as const,
            subpath: '',
            query: '',
            headers: {},
            localKeyId: 'k',
            callerFormat: caller,
            body: Buffer.from(mutated),
          };
          const decoded = new CallerRequest(original).decoded();
          if ('kind' in decoded) {
            assert.equal(decoded.status, 400);
            return;
          }
          const translated = translate(original, decoded, wireFormats[upstream], 'm', new MemoryResponseStore());
          if ('kind' in translated) assert.equal(translated.status, 400);
          else assert.equal(typeof JSON.parse(Buffer.from(translated.request.body ?? '').toString()), 'object');
        });
        fc.assert(property, RUNS);
      });
    }
  }
});
