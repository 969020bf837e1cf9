import type { BodySealer } from '../../secrets/bodySealer.ts';
import type { SealAnswer } from '../../secrets/sealAnswer.ts';
import type { KnownSecret } from '../../secrets/secretTable.ts';

/** Replaces the secrets in the texts of a form. Its files stay as they are. */
export async function sealFields(
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
