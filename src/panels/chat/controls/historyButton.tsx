import * as l10n from '@vscode/l10n';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';

/** Opens the list of chats. The head of the editor's side bar has no space for it beside the name of the product. */
export function HistoryButton() {
  const store = useStore();
  return <IconButton icon="history" label={l10n.t('History')} onClick={() => store.openHistory()} />;
}
