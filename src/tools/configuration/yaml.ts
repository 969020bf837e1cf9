import { isScalar, parseDocument } from 'yaml';
import type { ConfigurationFormat } from './edits.ts';

export const yaml: ConfigurationFormat = {
  parse: (text) => documentOf(text).toJS() ?? {},
  edit(text, path, value) {
    const document = documentOf(text);
    const present = document.getIn(path, true);
    if (value === undefined) document.deleteIn(path);
    // Keeps the node's comment.
    else if (isScalar(present) && typeof value !== 'object') present.value = value;
    else document.setIn(path, document.createNode(value));
    const edited = document.toString({ lineWidth: 0 });
    return text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited;
  },
};

function documentOf(text: string) {
  const document = parseDocument(text);
  const [first] = document.errors;
  if (first !== undefined) throw new SyntaxError(first.message);
  return document;
}
