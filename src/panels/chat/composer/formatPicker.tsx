import * as l10n from '@vscode/l10n';
import type { FormatName } from '../../../formats/conversation.ts';
import { useStore } from '../storeContext.ts';
import { type Option, OptionPicker } from './optionPicker.tsx';

export function FormatPicker({ format }: { readonly format: FormatName }) {
  const store = useStore();
  return (
    <OptionPicker
      popover="formats"
      label={l10n.t('Request format')}
      note={l10n.t('All of them work with every model. They differ in what they support.')}
      options={formats()}
      chosen={format}
      onChoose={(name) => store.post({ type: 'chooseFormat', format: name })}
    />
  );
}

function formats(): readonly Option<FormatName>[] {
  return [
    option('chat-completions', l10n.t('For most tools and model servers')),
    option('messages', l10n.t('Reasoning with its signatures')),
    option('responses', l10n.t('Reasoning, encrypted or as a summary')),
  ];
}

function option(value: FormatName, summary: string): Option<FormatName> {
  return { value, name: value, summary };
}
