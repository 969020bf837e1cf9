/** The single upstream of `--upstream`. */

import type { ServiceSettings } from '../../../../src/gateway/routing/upstreams.ts';
import { isLoopback } from '../../../../src/service/baseAddress.ts';
import { UsageError } from './arguments.ts';

const HOSTED = 'hosted:';

/** @throws {UsageError} */
export function readService(text: string, serviceKey: string | undefined, allowsPlainHttp: boolean): ServiceSettings {
  if (text === 'sandbox') return { kind: 'sandbox' };
  if (!text.startsWith(HOSTED)) throw new UsageError('--upstream must be sandbox or hosted:<base address>.');
  const address = URL.parse(text.slice(HOSTED.length));
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new UsageError('The base address after hosted: must start with https:// or http://.');
  }
  if (isPlainHttp(address) && !allowsPlainHttp) {
    throw new UsageError(
      `The service key would be sent to ${address.host} unencrypted. Use https://, or add --allow-plain-http.`,
    );
  }
  if (serviceKey === undefined || serviceKey === '') {
    throw new UsageError('Set MODEL_ACCESS_KEY in the environment to the service key, or use --service-key-file.');
  }
  return { kind: 'hosted', baseAddress: address.href, serviceKey };
}

/** Whether others on the network can read what is sent to this address. */
export function isPlainHttp({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}
