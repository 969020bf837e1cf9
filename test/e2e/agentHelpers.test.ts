import type { ChatRequest } from '../../src/formats/conversation.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { connect, disconnect, freshEditor, newChat } from '../support/editor/sharedEditors.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { ScriptedModel } from '../support/scriptedModel.ts';

const NAMES = ['first', 'second', 'third'];

describe('helpers of the agent', () => {
  let editor: Editor;
  let chat: ChatPanel;
  let model: ScriptedModel;

  before(async () => {
    editor = await freshEditor();
    model = await ScriptedModel.start();
    await connect(editor, 'key_helpers-5b1f7c20d9e84a63', model.baseAddress);
    chat = await newChat(editor);
    await chat.chooseAgent();
  });
  after(async () => {
    await disconnect(editor);
    await model.close();
  });

  /** Whose request it is. That of the run contains all tasks, in its call. */
  const helperOf = (request: ChatRequest) => {
    const sent = JSON.stringify(request.messages);
    return sent.includes('"run_helpers"') ? undefined : NAMES.find((name) => sent.includes(`Task of ${name}`));
  };

  it('go on after a reload of the window', async () => {
    const reloaded = Promise.withResolvers<void>();
    model.follow(({ request, results }) => {
      const name = helperOf(request);
      if (name !== undefined) return { text: `Report of ${name}.`, from: reloaded.promise };
      if (results.length > 0) return { text: 'All have reported.' };
      const helpers = NAMES.map((each) => ({ name: each, task: `Task of ${each}`, role: 'reader' }));
      return { calls: [['run_helpers', { helpers }]] };
    });
    const helpers = () => chat.frame.getByRole('list', { name: 'Helpers' }).getByRole('listitem');
    await chat.ask('Let three helpers look');
    await helpers().filter({ hasText: 'Running' }).nth(2).waitFor();
    await eventually('the requests of the helpers', async () => {
      const asked = new Set(model.requests.map(helperOf));
      return NAMES.every((name) => asked.has(name));
    });
    await editor.reload();
    await chat.waitUntilShown();
    await chat.frame.getByText('Interrupted').first().waitFor();
    await eventuallyEqual(() => helpers().count(), 3);
    await editor.screenshot('agent helpers interrupted');
    reloaded.resolve();
    await chat.frame.getByRole('button', { name: 'Continue', exact: true }).click();
    await chat.frame.getByText('3 of 3 done').first().waitFor();
    await eventuallyEqual(() => helpers().filter({ hasText: 'Done' }).count(), 3);
    await chat.frame.getByText('All have reported.').waitFor();
    await editor.screenshot('agent helpers after a reload');
  });
});
