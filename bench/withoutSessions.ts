/** Loaded before a gateway that assigns no request to a session and compares none; see `sessions.ts`. */
import { SessionTracker } from '../src/gateway/server/sessionTracker.ts';

const NOTHING = { ids: undefined, requestClass: undefined, agentType: undefined, toolMs: undefined };

SessionTracker.prototype.read = () => NOTHING;
SessionTracker.prototype.find = () => NOTHING;
SessionTracker.prototype.sent = () => undefined;
SessionTracker.prototype.ended = (record) => record;
