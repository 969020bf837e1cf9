/** Limits of a connection, in milliseconds and bytes. */
export interface SocketLimits {
  /** How long a connection may exist, as with the services of the format. Its last answer may take longer. */
  readonly ageMs: number;
  /** How long it may wait between two requests. */
  readonly idleMs: number;
  /** How long one message may take to arrive. */
  readonly messageMs: number;
  /** How long it may give no sign of life. */
  readonly silentMs: number;
  /** Interval at which the limits are checked and a sign of life is requested. */
  readonly checkMs: number;
  readonly maxBytes: number;
  readonly maxConnections: number;
  /** How many requests of a connection may wait for the one that is being answered. */
  readonly maxWaiting: number;
}

export const DEFAULT_SOCKET_LIMITS: SocketLimits = {
  ageMs: 60 * 60_000,
  idleMs: 15 * 60_000,
  messageMs: 60_000,
  silentMs: 90_000,
  checkMs: 15_000,
  maxBytes: 32 * 1024 * 1024,
  maxConnections: 256,
  maxWaiting: 16,
};
