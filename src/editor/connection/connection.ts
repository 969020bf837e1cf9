import type { ApiClient } from '../../service/apiClient.ts';

/** Who answers: nobody yet, the hosted service, or the sandbox inside the extension. */
export type Connection =
  | { readonly kind: 'none'; readonly problem?: string }
  | {
      readonly kind: 'hosted' | 'sandbox';
      readonly client: ApiClient;
      readonly baseAddress: string;
      /** Tells one key at one address from another without saying the key. */
      readonly identity: string;
    };

/** A connection with a client to call. */
export type OpenConnection = Exclude<Connection, { kind: 'none' }>;
