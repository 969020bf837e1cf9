import assert from 'node:assert/strict';
import { fillIn, readPrompt, variablesIn } from '../../../../src/chat/prompts/prompt.ts';

describe('a prompt from the library', () => {
  it('takes its name from the file and its description from the front matter', () => {
    const source = '---\r\ntitle: x\r\ndescription: "To someone new"\r\n---\r\nExplain this.\r\n';
    assert.deepEqual(readPrompt('explain.md', source), {
      name: 'explain',
      description: 'To someone new',
      models: [],
      body: 'Explain this.',
    });
  });

  it('is described by its first line if it has no front matter', () => {
    assert.deepEqual(readPrompt('a.MD', '# Review\nLook.'), {
      name: 'a',
      description: 'Review',
      models: [],
      body: '# Review\nLook.',
    });
    assert.equal(readPrompt('b.md', 'a\n---\nb\n---\n').body, 'a\n---\nb\n---');
  });

  it('names an agent, models, and tools in the ways in which other tools write them', () => {
    const read = (front: string) => readPrompt('a.prompt.md', `---\n${front}\n---\nGo.`);
    const { agent, models, tools } = read("mode: agent\nmodel: GPT-5 (copilot)\ntools: ['read', 'Bash(git:*, npm)']");
    assert.deepEqual([agent, models, tools], ['agent', ['GPT-5 (copilot)'], ['read', 'Bash(git:*, npm)']]);
    assert.deepEqual([read('tools: []').tools, read('name: b').tools], [[], undefined]);
  });

  it('detects its variables, and ignores similar text', () => {
    assert.deepEqual([...variablesIn(`$\{file} $\{env:HOME} $\{selection} $\{file}`)], ['file', 'selection']);
  });

  it('is filled in once: text from the clipboard is not expanded again', () => {
    const body = `Compare $\{clipboard} with $\{file}.`;
    assert.equal(fillIn(body, { clipboard: `$\{file} $1`, file: '`a.ts`' }), `Compare $\{file} $1 with \`a.ts\`.`);
  });
});
