import type { ApiClient } from './apiClient.ts';
import type { ApiKey } from './apiKey.ts';

/** The current upstream: none yet, the hosted service, or the sandbox inside the extension. */
export type ServiceConnection =
  | { readonly kind: 'none'; readonly problem?: string }
  | {
      readonly kind: 'hosted' | 'sandbox';
      readonly client: ApiClient;
      /** Belongs to the address, and must not be sent to another one. */
      readonly key: ApiKey;
      readonly baseAddress: string;
      /** Identifies the key and the address without revealing the key. */
      readonly identity: string;
    };

/** A connection with a client. */
export type OpenConnection = Exclude<ServiceConnection, { kind: 'none' }>;
