import { hkdfSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sentSecrets } from './localKeySecrets.ts';

/**
 * Derives 32 bytes, known only to the holder of a local key's secret, with which the gateway seals data for that key.
 * They come from the secrets in the request's headers, because the gateway itself may know only a digest. Both headers
 * are used, since one of them can contain the same placeholder in the requests of several tools.
 */
export function sealingKey(headers: IncomingHttpHeaders): Uint8Array {
  const secrets = sentSecrets(headers).join('\n');
  return new Uint8Array(hkdfSync('sha256', secrets, '', 'model-access compaction', 32));
}
