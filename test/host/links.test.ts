import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LinkHandler } from '../../src/editor/links/linkHandler.ts';
import type { Services } from '../../src/editor/services.ts';
import type { ChatHostMessage } from '../../src/pages/chat/protocol.ts';
import { eventually } from '../support/eventually.ts';
import { EXTENSION_ID, inSandbox } from './extension.ts';

describe('a link to the chat in the editor', () => {
  let services: Services;
  let handler: LinkHandler;
  let revealed: (ChatHostMessage | undefined)[];

  before(async () => {
    services = await inSandbox();
    await services.models.refresh();
  });
  beforeEach(async () => {
    revealed = [];
    await services.session.startNew();
    services.session.chat.composition.setDraft('');
    const view = { reveal: async (message?: ChatHostMessage) => void revealed.push(message) };
    handler = new LinkHandler(services, view, Promise.resolve());
  });
  afterEach(() => services.session.chat.composition.setDraft(''));

  const open = (rest: string) => handler.handleUri(vscode.Uri.parse(`vscode://${EXTENSION_ID}${rest}`, true));

  it('sets the model for this chat and keeps the default', async () => {
    const { session, settings } = services;
    const before = settings.chatModel;
    await open('/open?model=familyc-5.4');
    assert.equal(session.parameters.model, 'familyc-5.4');
    assert.equal(settings.chatModel, before);
    assert.deepEqual(revealed, [undefined]);
  });

  it('fills the composer and sends nothing', async () => {
    const { session } = services;
    await open('/open?prompt=Say%20hello');
    assert.equal(session.chat.composition.draft, 'Say hello');
    assert.deepEqual(revealed, [{ type: 'compose', text: 'Say hello' }]);
    assert.equal(session.chat.answers.areRunning, false);
    assert.deepEqual(session.state.turns, []);
  });

  it('reaches the extension through the editor, which handles its URI scheme', async () => {
    const { session } = services;
    const rest = '/open?model=familyc-5.4&prompt=From%20a%20link';
    await vscode.commands.executeCommand(
      'vscode.open',
      vscode.Uri.parse(`${vscode.env.uriScheme}://${EXTENSION_ID}${rest}`, true),
    );
    await eventually('the text of the link', async () => session.chat.composition.draft === 'From a link');
    assert.equal(session.parameters.model, 'familyc-5.4');
    assert.deepEqual(session.state.turns, []);
  });

  it('keeps the existing draft', async () => {
    const { session } = services;
    session.chat.composition.setDraft('Mine');
    await open('/open?prompt=Theirs');
    assert.equal(session.chat.composition.draft, 'Mine\n\nTheirs');
  });

  it('opens only chats that are stored on this machine', async () => {
    const { session } = services;
    await session.chat.turns.send('echo: hello');
    await eventually('the end of the answer', async () => !session.chat.answers.areRunning);
    const { id } = session.chat.conversation;
    await session.startNew();
    assert.notEqual(session.chat.conversation.id, id);
    await open(`/open?conversation=${id}`);
    assert.equal(session.chat.conversation.id, id);
    revealed = [];
    await open('/open?conversation=0f8fad5b-d9cb-469f-a165-70867728950e');
    assert.equal(session.chat.conversation.id, id);
    assert.deepEqual(revealed, []);
  });

  it('does nothing if it contains a key or a model that is not in the catalog', async () => {
    const { session } = services;
    const { model } = session.parameters;
    await open('/open?prompt=hello&key=key_canarycanary');
    await open('/open?model=no-such-model&prompt=hello');
    assert.deepEqual([session.parameters.model, session.chat.composition.draft, revealed.length], [model, '', 0]);
  });
});
