/**
 * The parts of undici that the gateway uses. A bundle with the whole package could not omit its `fetch`, caches, and
 * mocks, which took a third of the bundle and of its start time. See `bundles.ts`.
 */
exports.Pool = require('undici/lib/dispatcher/pool.js');
exports.buildConnector = require('undici/lib/core/connect.js');
exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');

// Undici's index sets all of the methods in this way. The agent for proxies calls this one.
require('undici/lib/dispatcher/dispatcher.js').prototype.connect = require('undici/lib/api/api-connect.js');
