import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { language } from '../../display/language.ts';

/** The names of the browser bundles. Each has a script and styles of its own. */
export type PanelName =
  | 'agentReview'
  | 'chat'
  | 'connectTool'
  | 'configureAgent'
  | 'localKey'
  | 'routes'
  | 'session'
  | 'traffic'
  | 'usage';

/** The folder of the panels' bundles. */
export function panelMedia(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'panels');
}

/** The options of a webview that shows a page of the extension. */
export function panelOptions(media: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [media] };
}

/**
 * The page of a panel that links to its script and styles, so that chunks of the script are loaded from the same
 * folder.
 */
export function linkedPage(webview: vscode.Webview, media: vscode.Uri, name: PanelName): string {
  const file = addressesIn(webview, media);
  return pageOf(webview, (nonce) => ({
    styles: `<link rel="stylesheet" href="${file(`${name}.css`)}">`,
    script: `<script type="module" nonce="${nonce}" src="${file(`${name}.js`)}"></script>`,
  }));
}

/**
 * The page of a panel with its script and styles inlined, except the chunks that it loads later. Each file that a
 * webview fetches goes through its service worker, the window, and the extension's machine, and the page shows nothing
 * before the last one arrives.
 */
export async function wholePage(webview: vscode.Webview, media: vscode.Uri, name: PanelName): Promise<string> {
  const read = (path: string) => readFile(vscode.Uri.joinPath(media, path).fsPath, 'utf8');
  const [code, css] = await Promise.all([read(`${name}.js`), read(`${name}.css`)]);
  return pageOf(webview, (nonce) => ({
    styles: `<style nonce="${nonce}">${inlineStyles(css, addressesIn(webview, media))}</style>`,
    script: `<script type="module" nonce="${nonce}">${inlineScript(code, addressesIn(webview, media))}</script>`,
  }));
}

function addressesIn(webview: vscode.Webview, media: vscode.Uri): (path: string) => string {
  return (path) => webview.asWebviewUri(vscode.Uri.joinPath(media, path)).toString();
}

interface PageParts {
  readonly styles: string;
  readonly script: string;
}

/**
 * The policy allows scripts only with the nonce, styles with it or from the package, fonts only from the package, and
 * no network.
 */
function pageOf(webview: vscode.Webview, partsFor: (nonce: string) => PageParts): string {
  const nonce = randomBytes(16).toString('base64url');
  const { styles, script } = partsFor(nonce);
  const policy = [
    `default-src 'none'`,
    // The nonce also covers what the script imports.
    `script-src 'nonce-${nonce}'`,
    // In the chat, the nonce is for the styles of the frame that renders diagrams, which inherits this policy.
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${language()}">
  <head>
    <meta charset="UTF-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Model Access</title>
    ${styles}
  </head>
  <body>
    <div id="root" data-strings="${escapeAttribute(JSON.stringify(vscode.l10n.bundle ?? {}))}"></div>
    ${script}
  </body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/**
 * Embeds a script in a page, where the HTML parser looks for its end tag before anything else. End tags of a script, and
 * `<!--`, which hides them, occur only in literals, where the escaped form means the same.
 * @param address Returns the address of a file beside the script, such as a chunk that it imports, by its path.
 */
export function inlineScript(code: string, address: (path: string) => string): string {
  return code
    .replace(
      /\b(import\(?)"\.\/(chunks\/[\w-]+\.js)"/g,
      (_, begun: string, path: string) => `${begun}"${address(path)}"`,
    )
    .replace(/<(?=!--|\/script)/gi, '\\x3C');
}

/**
 * Embeds a style sheet in a page, without anything that the HTML parser would take for its end tag.
 * @param address Returns the address of a file beside the style sheet, such as a font, by its name.
 */
export function inlineStyles(css: string, address: (name: string) => string): string {
  return css
    .replace(/url\((["']?)\.\/([\w./-]+)\1\)/g, (_, _quote, name: string) => `url("${address(name)}")`)
    .replaceAll('</', '<\\/');
}
