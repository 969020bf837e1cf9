/**
 * Runs the gateway without an editor, as one file that is built again whenever a source of it has changed. This script
 * is JavaScript and imports no TypeScript: Node's own compiler takes 60 ms and 18 MB as soon as one file needs it, and
 * the sources are over a hundred. CommonJS, since an ES module that imports a part of Node's loads all that this part
 * could be asked for: with `node:http` an HTTP client and a websocket that nobody uses.
 */
const { readFileSync, statSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');
const FOLDER = join(ROOT, 'node_modules', '.cache', 'model-access-gateway');
const BUNDLE = join(FOLDER, 'serve.cjs');

/** Whether nothing that the bundle was made of has changed since. */
function isFresh() {
  try {
    const built = statSync(BUNDLE).mtimeMs;
    const inputs = JSON.parse(readFileSync(join(FOLDER, 'inputs.json'), 'utf8'));
    return inputs.every((path) => statSync(join(ROOT, path)).mtimeMs < built);
  } catch {
    // Not built yet, or a source is gone.
    return false;
  }
}

/** In a process of its own, so that the gateway does not keep what building takes. The output belongs to the gateway. */
function build() {
  const { spawnSync } = require('node:child_process');
  const script = join(ROOT, 'scripts', 'buildGateway.ts');
  return spawnSync(process.execPath, [script, FOLDER], { stdio: ['ignore', 2, 2] }).status === 0;
}

enableCompileCache(join(FOLDER, 'compiled'));
if (isFresh() || build()) {
  require(BUNDLE);
} else {
  console.error('The gateway runs from its sources, since it could not be built.');
  void import('../src/gateway/cli/serve.ts');
}
