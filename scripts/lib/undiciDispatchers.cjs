/**
 * What the gateway uses of undici, in place of all of it: its `fetch`, caches and mocks cannot be left out of a bundle
 * otherwise, and took a third of the bundle and of the time to start it. See `bundles.ts`.
 */
exports.Pool = require('undici/lib/dispatcher/pool.js');
exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');

// Its own index does this to all of the methods. The agent for proxies calls this one.
require('undici/lib/dispatcher/dispatcher.js').prototype.connect = require('undici/lib/api/api-connect.js');
