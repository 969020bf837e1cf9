import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { outcomeOf } from '../../rules/exchange.ts';
import { useStore } from './store.ts';
import { exchangesText, resultWord } from './words.ts';

/**
 * Announces what is otherwise only visible: how many requests match a filter, and how the open one has ended. New
 * requests are not announced, because that would drown out everything else.
 */
export function Announcement() {
  const store = useStore();
  const [text, setText] = useState('');
  const list = store.list.value;
  const row = store.openRow.value;
  const runningId = useRef<string>(undefined);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && list !== undefined) setText(exchangesText(list.exchanges));
    isFirst.current = false;
  }, [list?.choice]);
  useEffect(() => {
    if (row !== undefined && row.end !== undefined && runningId.current === row.id) {
      setText(l10n.t('The request has ended: {0}', resultWord(outcomeOf(row))));
    }
    runningId.current = row?.end === undefined ? row?.id : undefined;
  }, [row?.id, row?.end]);
  return (
    <p class="hidden-text" role="status" aria-live="polite">
      {text}
    </p>
  );
}
