import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation } from '../../../../../src/chat/conversation/conversation.ts';
import { ConversationStore } from '../../../../../src/chat/conversation/conversationStore.ts';
import { LiveConversation } from '../../../../../src/chat/conversation/liveConversation.ts';
import type { Customizations } from '../../../../../src/editor/chat/customizations/customizations.ts';
import { ChatParameters } from '../../../../../src/editor/chat/parameters/chatParameters.ts';
import { ConversationParameters } from '../../../../../src/editor/chat/parameters/conversationParameters.ts';
import { Presets } from '../../../../../src/editor/chat/parameters/presets.ts';
import type { ModelList } from '../../../../../src/editor/models/modelList.ts';
import type { Settings } from '../../../../../src/editor/settings/settings.ts';
import type { FormatName } from '../../../../../src/formats/conversation.ts';
import { question } from '../../../chat/conversation/records.ts';

/** The settings that parameters are read from and written to. */
class FakeSettings {
  chatModel = 'familya-haiku-4.5';
  chatFormat: FormatName = 'messages';
  readonly systemPrompt = '';
  readonly maxTokens = 4096;
  presets: Readonly<Record<string, unknown>> = {};

  async set(name: string, value: unknown): Promise<void> {
    const member = { 'chat.model': 'chatModel', 'chat.format': 'chatFormat', 'chat.presets': 'presets' }[name];
    Object.assign(this, { [member ?? assert.fail(name)]: value });
  }
  get asSettings(): Settings {
    return this as unknown as Settings;
  }
}

const INSTRUCTIONS = { label: 'AGENTS.md', text: 'From AGENTS.md: be brief.', tokens: 8 };
const WITH_INSTRUCTIONS = { sent: INSTRUCTIONS } as unknown as Customizations;
const NO_MODELS = { find: () => undefined, state: { models: [] } } as unknown as ModelList;

describe('the parameters of the visible conversation', () => {
  let folder: string;
  let store: ConversationStore;
  let live: LiveConversation;
  let settings: FakeSettings;
  let changes: number;
  let parameters: ConversationParameters;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parameters-'));
    store = new ConversationStore(folder);
    const begun = { conversation: new Conversation('c'), end: 0, elsewhere: [], own: [] };
    live = new LiveConversation(begun, store, (error) => assert.fail(String(error)));
    settings = new FakeSettings();
    changes = 0;
    parameters = new ConversationParameters({
      chat: new ChatParameters(settings.asSettings, NO_MODELS, WITH_INSTRUCTIONS),
      settings: settings.asSettings,
      conversation: live,
      onDidChange: () => {
        changes += 1;
      },
    });
  });
  afterEach(async () => {
    await store.whenWritten();
    await rm(folder, { recursive: true });
  });

  it('are those of the settings until they are changed', () => {
    assert.deepEqual([parameters.model, parameters.format], ['familya-haiku-4.5', 'messages']);
    parameters.decide({ temperature: 0.5, model: 'familyc-5.4' });
    assert.equal(parameters.model, 'familyc-5.4');
    assert.equal(parameters.requestSettings.temperature, 0.5);
    assert.equal(parameters.defaultModel, 'familya-haiku-4.5');
    assert.equal(changes, 1);
  });

  it('become the default for new conversations if they are chosen before the first question', async () => {
    await parameters.chooseModel('familyc-5.4');
    await parameters.chooseFormat('responses');
    assert.deepEqual([parameters.model, parameters.format], ['familyc-5.4', 'responses']);
    assert.deepEqual([settings.chatModel, settings.chatFormat], ['familyc-5.4', 'responses']);
  });

  it('apply only to this conversation if they are chosen after its first question', async () => {
    live.record(question('q', 'why?', { parent: null }));
    await parameters.chooseModel('familyc-5.4');
    await parameters.chooseFormat('responses');
    assert.deepEqual([parameters.model, parameters.format], ['familyc-5.4', 'responses']);
    assert.deepEqual([settings.chatModel, settings.chatFormat], ['familya-haiku-4.5', 'messages']);
  });

  it('keep the model and the format of the conversation, whatever is chosen elsewhere', () => {
    parameters.keepModel();
    settings.chatModel = 'familyc-5.4';
    settings.chatFormat = 'responses';
    assert.deepEqual([parameters.model, parameters.format], ['familya-haiku-4.5', 'messages']);
    parameters.keepModel();
    assert.equal(changes, 1);
  });

  it('are saved as a preset with the current model and format, and found again by its name', async () => {
    const presets = new Presets(settings.asSettings);
    parameters.decide({ temperature: 0.5 });
    await presets.save('Cool', parameters.withModel);
    const cool = { temperature: 0.5, model: 'familya-haiku-4.5', format: 'messages' };
    assert.deepEqual(presets.find('Cool'), cool);
    await presets.save('Other', { temperature: 1 });
    await presets.remove('Other');
    assert.deepEqual(settings.presets, { Cool: cool });
    assert.equal(presets.find('Other'), undefined);
  });

  it('include the workspace instructions until they are removed from the conversation', () => {
    const shown = () => parameters.view.parameters.instructions?.isSent;
    assert.deepEqual([parameters.requestSettings.instructions, shown()], [INSTRUCTIONS.text, true]);
    parameters.decide({ instructions: false });
    assert.deepEqual([parameters.requestSettings.instructions, shown()], [undefined, false]);
    assert.deepEqual(parameters.view.parameters.own, {});
  });

  it('ignore a handwritten preset that cannot be read', () => {
    settings.presets = { Odd: { temperature: 'warm' } };
    assert.equal(new Presets(settings.asSettings).find('Odd'), undefined);
  });
});
