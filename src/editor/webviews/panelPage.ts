import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { language } from '../../display/language.ts';
import { inlineScript, inlineStyles } from './inline.ts';

/** The names of the bundles of browser code; each has a script and styles of its own. */
export type PanelName = 'chat' | 'connectTool' | 'localKey' | 'session' | 'traffic' | 'usage';

/** Where the bundles of the panels lie. */
export function panelMedia(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'panels');
}

/** What a webview with a page of ours may do. */
export function panelOptions(media: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [media] };
}

/** A panel's page that names its script and styles, so that chunks of the script are found beside it. */
export function linkedPage(webview: vscode.Webview, media: vscode.Uri, name: PanelName): string {
  const file = addressesIn(webview, media);
  return pageOf(webview, (nonce) => ({
    styles: `<link rel="stylesheet" href="${file(`${name}.css`)}">`,
    script: `<script type="module" nonce="${nonce}" src="${file(`${name}.js`)}"></script>`,
  }));
}

/**
 * The page of a panel without chunks, with script and styles in it: each file that a webview fetches goes through its
 * service worker, the window and the machine of the extension, and the page shows nothing before the last one has come.
 */
export async function wholePage(webview: vscode.Webview, media: vscode.Uri, name: PanelName): Promise<string> {
  const read = (path: string) => readFile(vscode.Uri.joinPath(media, path).fsPath, 'utf8');
  const [code, css] = await Promise.all([read(`${name}.js`), read(`${name}.css`)]);
  return pageOf(webview, (nonce) => ({
    styles: `<style nonce="${nonce}">${inlineStyles(css, addressesIn(webview, media))}</style>`,
    script: `<script type="module" nonce="${nonce}">${inlineScript(code)}</script>`,
  }));
}

function addressesIn(webview: vscode.Webview, media: vscode.Uri): (path: string) => string {
  return (path) => webview.asWebviewUri(vscode.Uri.joinPath(media, path)).toString();
}

interface PageParts {
  readonly styles: string;
  readonly script: string;
}

/** Scripts only with the nonce, styles too or from the package, fonts only from the package, and no network at all. */
function pageOf(webview: vscode.Webview, partsFor: (nonce: string) => PageParts): string {
  const nonce = randomBytes(16).toString('base64url');
  const { styles, script } = partsFor(nonce);
  const policy = [
    `default-src 'none'`,
    // The nonce also covers what the script imports.
    `script-src 'nonce-${nonce}'`,
    // In the chat the nonce is for the styles of the frame that draws diagrams, which has this policy too.
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
