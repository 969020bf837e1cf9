/** Entry point of the thread that searches requests for secrets, so that the search does not delay any stream. */
import { parentPort } from 'node:worker_threads';
import type { Numbered } from '../../rpc/workerClient.ts';
import { BodySealer } from '../../secrets/bodySealer.ts';
import { type SealAnswer, sealAnswer } from '../../secrets/sealAnswer.ts';
import { searchedText } from '../../secrets/searchedBlocks.ts';
import { findSecrets, locateSecrets } from '../../secrets/secretFinder.ts';
import type { KnownSecret } from '../../secrets/secretTable.ts';
import { StandIns } from '../../secrets/standIns.ts';
import type { SealQuestion, SearchAnswer, SearchQuestion } from './searchThread.ts';

if (parentPort === null) throw new Error('secretThread.ts runs in a worker thread.');
const port = parentPort;

let sealer: BodySealer | undefined;

function sealerWith(key: Uint8Array): BodySealer {
  sealer ??= new BodySealer({ standIns: new StandIns(key), find: locateSecrets });
  return sealer;
}

async function seal({ body, key, known, fields }: SealQuestion): Promise<SealAnswer | undefined> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (fields !== undefined) return sealFields(sealerWith(key), bytes, fields, known);
  const sealed = await sealerWith(key).seal(bytes, known);
  return sealed && sealAnswer(sealed, bytes);
}

function transferredWith(answer: SearchAnswer): ArrayBuffer[] {
  return answer !== undefined && 'body' in answer && answer.body !== undefined ? [answer.body.buffer] : [];
}

port.on('message', async ({ id, content }: Numbered<SearchQuestion>) => {
  const answer =
    content instanceof Uint8Array
      ? await findSecrets(searchedText(Buffer.from(content.buffer).toString()))
      : await seal(content);
  port.postMessage({ id, content: answer } satisfies Numbered<SearchAnswer>, transferredWith(answer));
});
port.postMessage({ id: 0 });

/** Replaces the secrets in the texts of a form. Its files stay as they are. */
async function sealFields(
  sealer: BodySealer,
  body: Buffer,
  fields: readonly (readonly [start: number, end: number])[],
  known: readonly KnownSecret[],
): Promise<SealAnswer> {
  const pieces: Buffer[] = [];
  const texts = new Map<string, string>();
  const secrets = new Map<string, KnownSecret>();
  let at = 0;
  for (const [start, end] of fields) {
    const sealed = await sealer.sealText(body.toString('utf8', start, end), known);
    for (const [standIn, text] of sealed.table.texts) texts.set(standIn, text);
    for (const secret of sealed.secrets) secrets.set(secret.value, secret);
    pieces.push(body.subarray(at, start), sealed.secrets.length === 0 ? body.subarray(start, end) : sealed.body);
    at = end;
  }
  const found = { texts: [...texts], secrets: [...secrets.values()], isStructured: false };
  return secrets.size === 0 ? found : { ...found, body: new Uint8Array(Buffer.concat([...pieces, body.subarray(at)])) };
}
