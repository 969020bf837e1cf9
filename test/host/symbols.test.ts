import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import type { ContextChoiceView } from '../../src/pages/chat/protocol.ts';
import { inSandbox } from './extension.ts';

const CODE = 'one\nfunction measured() {\n  return 1;\n}\nlast\n';

describe('workspace symbols', () => {
  let services: Services;
  let uri: vscode.Uri;
  let outside: vscode.Uri;
  const registered: vscode.Disposable[] = [];

  before(async () => {
    services = await inSandbox();
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root);
    uri = vscode.Uri.joinPath(root, 'measured.symbols');
    outside = vscode.Uri.joinPath(root, '..', 'elsewhere.symbols');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(CODE));
    const place = (file: vscode.Uri) => new vscode.Location(file, new vscode.Range(1, 0, 3, 1));
    registered.push(
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) =>
          'measured'.startsWith(query)
            ? [uri, outside].map(
                (file) => new vscode.SymbolInformation('measured', vscode.SymbolKind.Function, '', place(file)),
              )
            : [],
      }),
    );
  });
  beforeEach(() => services.session.startNew());
  after(async () => {
    vscode.Disposable.from(...registered).dispose();
    await vscode.workspace.fs.delete(uri);
  });

  /** Resolves with the items that the panel is offered for a query, once a condition holds. */
  function offered(query: string, holds: (choices: readonly ContextChoiceView[]) => boolean) {
    return new Promise<readonly ContextChoiceView[]>((resolve) => {
      const subscription = services.session.panel.onDidPost((message) => {
        if (message.type !== 'context' || message.query !== query || !holds(message.choices)) return;
        subscription.dispose();
        resolve(message.choices);
      });
    });
  }

  const isSymbol = ({ id }: ContextChoiceView) => id.startsWith('symbol:');

  it('are offered after files, exclude other folders, and are attached with their lines', async () => {
    const context = await services.chatContext.get();
    const answered = offered('measur', (choices) => choices.some(isSymbol));
    await context.receive({ type: 'listContext', query: 'measur' });
    const symbols = (await answered).filter(isSymbol);
    assert.deepEqual(
      symbols.map(({ kind, group, label, detail }) => [kind, group, label, detail]),
      [['function', 'symbols', 'measured', 'measured.symbols:2']],
    );
    assert.ok((symbols[0]?.tokens ?? 0) > 5);
    await context.receive({ type: 'attach', choiceId: symbols[0]?.id ?? '' });
    const [attachment] = services.session.chat.composition.attachments;
    assert.equal(attachment?.label, 'measured.symbols:2–4');
    assert.equal(attachment?.text, 'function measured() {\n  return 1;\n}');
    services.session.chat.composition.detach(attachment?.id ?? '');
  });
});
