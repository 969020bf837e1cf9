import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import { copyIconFont, entriesOf, PANEL, PANEL_NAMES } from './bundles.ts';
import { namedIcons } from './namedIcons.ts';
import { diagramCode, MATH_STYLES } from './panelParts.ts';
import { ROOT } from './paths.ts';
import { type TemporaryFolder, temporaryFolder } from './temporaryFolder.ts';

const SOURCE = join(ROOT, 'test', 'gallery');
/** The template of the other pages. */
const PAGE = join(SOURCE, 'shared', 'index.html');

/** The types of the files that are served; nothing else is. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
};
const FILES =
  /^(?:[a-zA-Z]+\.html|(?:(?:[a-zA-Z]+|chunks\/[\w.-]+)\.js|[a-zA-Z]+\.css)(?:\.map)?|codicon\.ttf|fonts\/[\w-]+\.woff2)$/;
/** Files that never change under their name, so a browser can keep them between states. */
const LASTING = /^(?:chunks|fonts)\/|\.ttf$/;

/** The folder with the build, for a run of several stages. The first one builds it. */
export const GALLERY_VARIABLE = 'MODEL_ACCESS_GALLERY';

export interface Gallery {
  /**
   * The address of the chat panel, such as `http://127.0.0.1:40123/`. The other panels are below it, such as
   * `usage.html`.
   */
  readonly address: string;
  stop(): Promise<void>;
}

/** Builds the pages that show the panels' states in a plain browser, and serves them on this machine. */
export async function startGallery(port = 0): Promise<Gallery> {
  const shared = process.env[GALLERY_VARIABLE];
  if (shared !== undefined) {
    // The font is copied last.
    if (!existsSync(join(shared, 'codicon.ttf'))) await buildPages(shared);
    return serve({ path: shared, remove: async () => undefined }, port);
  }
  const folder = await temporaryFolder();
  try {
    await buildPages(folder.path);
    return await serve(folder, port);
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

async function buildPages(outdir: string): Promise<void> {
  await build({
    ...PANEL,
    absWorkingDir: ROOT,
    entryPoints: entriesOf((panel) => join(SOURCE, panel, 'main.tsx')),
    outdir,
    bundle: true,
    sourcemap: 'linked',
    logLevel: 'warning',
    plugins: [namedIcons('*')],
  });
  await build({ ...MATH_STYLES, outdir });
  await writeFile(join(outdir, 'diagrams.js'), (await diagramCode()).code);
  const page = await readFile(PAGE, 'utf8');
  for (const panel of PANEL_NAMES) await writeFile(join(outdir, `${panel}.html`), page.replaceAll('PANEL', panel));
  await copyIconFont(outdir);
}

async function serve(folder: TemporaryFolder, port: number): Promise<Gallery> {
  const server = serveFiles(folder.path);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${taken}/`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await folder.remove();
    },
  };
}

function serveFiles(folder: string): Server {
  // The built files do not change while they are served, so a browser may cache them together with their compiled code.
  const etag = `"${Date.now()}"`;
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const name = pathname === '/' ? 'chat.html' : pathname.slice(1);
    if (!FILES.test(name)) {
      response.writeHead(404).end();
      return;
    }
    const caching = { etag, 'cache-control': LASTING.test(name) ? 'max-age=3600' : 'no-cache' };
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, caching).end();
      return;
    }
    response.writeHead(200, { ...caching, 'content-type': TYPES[extname(name)] });
    createReadStream(join(folder, name)).pipe(response);
  });
}
