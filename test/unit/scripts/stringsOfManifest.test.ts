import assert from 'node:assert/strict';
import { compareManifest, stringsOfManifest } from '../../../scripts/lib/stringsOfManifest.ts';

describe('The manifest strings', () => {
  it('are found wherever the editor displays text', () => {
    const { keys, hardCoded } = stringsOfManifest({
      description: '%description%',
      contributes: {
        commands: [{ command: 'open', title: '%command.open%', category: 'Model Access' }],
        configuration: {
          properties: { size: { enum: ['small'], enumItemLabels: ['%small%'], enumDescriptions: ['POST /messages'] } },
        },
        views: { side: [{ id: 'chat', name: '%view.chat%' }] },
        viewsWelcome: [{ view: 'chat', contents: '%welcome%', when: 'isEmpty' }],
      },
    });
    assert.deepEqual([...keys], ['description', 'command.open', 'small', 'view.chat', 'welcome']);
    assert.deepEqual(hardCoded, []);
  });

  it('must not be hard-coded in the manifest', () => {
    const strings = stringsOfManifest({ contributes: { submenus: [{ id: 'editor', label: 'More' }] } });
    assert.deepEqual(compareManifest(strings, {}), ['stands in package.json itself: "More"']);
  });

  it('exclude text that is written to files', () => {
    const snippet = { label: '%snippet%', body: { name: 'local' }, default: { title: 'Untitled' } };
    assert.deepEqual(compareManifest(stringsOfManifest({ contributes: snippet }), { snippet: 'Upstream' }), []);
  });

  it('exclude text that only models read', () => {
    const tool = { name: 'count_tokens', userDescription: '%tool%', modelDescription: 'Counts.' };
    const inputSchema = { properties: { text: { type: 'string', description: 'The text.' } } };
    const strings = stringsOfManifest({ contributes: { languageModelTools: [{ ...tool, inputSchema }] } });
    assert.deepEqual([[...strings.keys], strings.hardCoded], [['tool'], []]);
  });

  it('are reported if they are missing or unused', () => {
    const strings = stringsOfManifest({ contributes: { commands: [{ title: '%command.new%' }] } });
    assert.deepEqual(compareManifest(strings, { 'command.old': 'Old' }), [
      'is missing "command.new"',
      'has "command.old", which nothing uses',
    ]);
  });
});
