import assert from 'node:assert/strict';
import { mergedText, mergeRequest } from '../../../../src/chat/apply/mergeRequest.ts';

const TEXT = 'function first() {\n  one();\n}\n\nfunction second() {\n  two();\n}\n';
const CODE = 'function added() {\n  // ...\n  three();\n}';

function merged(search: string, replace: string, code = CODE): string | undefined {
  const reply = `\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\``;
  return mergedText({ path: 'a.js', text: TEXT, code }, reply);
}

describe('a merge that a model writes', () => {
  it('is asked for with the file and the code as data', () => {
    const request = mergeRequest({ path: 'a.js', text: TEXT, code: CODE }, 'small', 500);
    assert.equal(request.maxTokens, 500);
    const [message] = request.messages;
    assert.ok(message?.role === 'user' && message.parts[0]?.type === 'text');
    assert.match(message.parts[0].text, /<file>\nfunction first[\s\S]*<\/file>[\s\S]*<code>\nfunction added/);
  });

  it('is applied as an edit', () => {
    assert.equal(merged('  two();', '  two();\n  three();'), TEXT.replace('two();', 'two();\n  three();'));
  });

  it('never writes a mark', () => {
    const result = merged('  two();', '  // ...\n  three();');
    assert.ok(result === undefined || !result.includes('// ...'));
  });

  it('is refused if it is no edit, or its lines are not found once', () => {
    assert.equal(mergedText({ path: 'a.js', text: TEXT, code: CODE }, 'Here is the file.'), undefined);
    assert.equal(merged('  four();', '  three();'), undefined);
    assert.equal(merged('}', '  three();\n}'), undefined);
  });

  it('is refused if it adds what the code does not have, or removes what it does not show', () => {
    assert.equal(merged('  two();', '  two();\n  invented();'), undefined);
    assert.equal(merged('function second() {\n  two();\n}', 'function added() {\n  three();\n}'), undefined);
  });
});
