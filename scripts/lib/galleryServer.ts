import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import { copyIconFont, PANEL } from './bundles.ts';
import { diagramCode, MATH_STYLES } from './panelParts.ts';
import { CACHE, ROOT } from './paths.ts';

const SOURCE = join(ROOT, 'src', 'panels', 'chat', 'gallery');
const OUTPUT = join(CACHE, 'gallery');

/** The files that are served, and nothing else. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};
const FILES =
  /^(?:index\.html|(?:main|diagrams|chunks\/[\w.-]+)\.js|(?:main|math)\.css|codicon\.ttf|fonts\/[\w-]+\.woff2)$/;

export interface Gallery {
  /** Such as `http://127.0.0.1:40123/`. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Builds the page that shows the chat panel's states in a plain browser, and serves it on this machine. */
export async function startGallery(port = 0): Promise<Gallery> {
  await rm(join(OUTPUT, 'chunks'), { recursive: true, force: true });
  await build({
    ...PANEL,
    absWorkingDir: ROOT,
    entryPoints: [join(SOURCE, 'main.tsx')],
    outdir: OUTPUT,
    bundle: true,
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  await build({ ...MATH_STYLES, outdir: OUTPUT });
  await writeFile(join(OUTPUT, 'diagrams.js'), await diagramCode());
  await copyFile(join(SOURCE, 'index.html'), join(OUTPUT, 'index.html'));
  await copyIconFont(OUTPUT);
  const server = serveFiles();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${taken}/`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function serveFiles(): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    if (!FILES.test(name)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(name)], 'cache-control': 'no-store' });
    createReadStream(join(OUTPUT, name)).pipe(response);
  });
}
