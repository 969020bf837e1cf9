import { hkdfSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sentSecrets } from './localKeySecrets.ts';

/**
 * 32 bytes that only the holder of a local key's secret can know, for what the gateway seals for that key. They are derived
 * from what a request carries where keys are sent, since the gateway itself may know no more than a digest. Both places
 * count: one of them may have the same word in the requests of several tools.
 */
export function sealingKey(headers: IncomingHttpHeaders): Uint8Array {
  const secrets = sentSecrets(headers).join('\n');
  return new Uint8Array(hkdfSync('sha256', secrets, '', 'model-access compaction', 32));
}
