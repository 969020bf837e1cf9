import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { language } from '../../display/language.ts';

/** The names of the bundles of browser code; each has a script and styles of its own. */
export type PanelName = 'chat' | 'traffic' | 'usage';

/** Where the bundles of the panels lie. */
export function panelMedia(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'panels');
}

/** What a webview with a page of ours may do. */
export function panelOptions(media: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [media] };
}

/** A panel's page. Scripts only with the nonce, styles and fonts only from the package, and no network at all. */
export function panelPage(webview: vscode.Webview, media: vscode.Uri, name: PanelName): string {
  const nonce = randomBytes(16).toString('base64url');
  const file = (path: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, path)).toString();
  const policy = [
    `default-src 'none'`,
    // The nonce also covers what the script imports.
    `script-src 'nonce-${nonce}'`,
    // The nonce is for the styles of the frame that draws diagrams, which has this policy too.
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
    <link rel="stylesheet" href="${file(`${name}.css`)}">
  </head>
  <body>
    <div id="root" data-strings="${escapeAttribute(JSON.stringify(vscode.l10n.bundle ?? {}))}"></div>
    <script type="module" nonce="${nonce}" src="${file(`${name}.js`)}"></script>
  </body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
