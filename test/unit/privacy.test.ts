import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';

/** Calls that leave the process or write to a disk. */
const CALLS: Readonly<Record<'network' | 'files', RegExp>> = {
  network:
    /\bfetch\(|\.dispatch\(|\bcreateServer\(|\bcreateConnection\(|openExternal\(|\bnew (?:WebSocket|XMLHttpRequest|EventSource)\b|from 'node:(?:http|https|net|tls|dgram|child_process)'|from 'undici'/,
  files:
    /\b(?:writeFile|appendFile|writeFileSync|appendFileSync|createWriteStream|copyFile|copyFileSync|writePrivateFile|appendPrivateFile|replacePrivateFile|ensurePrivateDatabase|new DatabaseSync)\(|\bfs\.writeFile\(/,
};

/** Each source with such calls, by the words of the page that say what it does. */
const SAID: Readonly<Record<'network' | 'files', Readonly<Record<string, string>>>> = {
  network: {},
  files: {},
};

describe('the privacy page', () => {
  const page = readFileSync(join(ROOT, 'media', 'privacy.md'), 'utf8');
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('/gallery/'));

  for (const kind of ['network', 'files'] as const) {
    it(`covers every source with calls of the kind: ${kind}`, () => {
      const found = sources.filter((path) => CALLS[kind].test(readFileSync(join(ROOT, 'src', path), 'utf8')));
      assert.deepEqual(found.sort(), Object.keys(SAID[kind]).sort());
    });

    it(`has the words that stand for them: ${kind}`, () => {
      const missing = Object.entries(SAID[kind]).filter(([, words]) => !page.includes(words));
      assert.deepEqual(missing, []);
    });
  }
});
