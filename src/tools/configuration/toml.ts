import { parse, patch } from '@decimalturn/toml-patch';
import { isRecord } from '../../formats/json.ts';
import type { ConfigurationFormat } from './edits.ts';

export const toml: ConfigurationFormat = {
  parse: (text) => parse(text),
  edit: (text, path, value) => patch(text, changed(parse(text), path, value)),
};

function changed(at: unknown, [name, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(at) && typeof name === 'number') {
    const item = changed(at[name], rest, value);
    return item === undefined ? at.toSpliced(name, 1) : [...at.slice(0, name), item, ...at.slice(name + 1)];
  }
  const members = isRecord(at) ? at : {};
  const member = changed(members[name], rest, value);
  const { [name]: _, ...others } = members;
  return member === undefined ? others : { ...members, [name]: member };
}
