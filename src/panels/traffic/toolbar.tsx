import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { formatSum } from '../../display/money.ts';
import type { TrafficChoice, ViewContext } from '../../pages/traffic/protocol.ts';
import { OUTCOMES } from '../../rules/exchange.ts';
import { Icon } from '../shared/icon.tsx';
import { IconButton } from '../shared/iconButton.tsx';
import { localKeyName } from '../shared/localKeyName.ts';
import { SandboxNote } from '../shared/sandboxNote.tsx';
import { useStore } from './store.ts';
import { exchangesText, resultWord, sourceWord, spanWord } from './words.ts';

/** Pause in typing after which the list is read again. In milliseconds. */
const TYPING_MS = 250;

const RESULTS = ['running', ...OUTCOMES] as const;

/** The filters of the list, and the actions on all of its requests. */
export function Toolbar() {
  const store = useStore();
  const choice = store.list.value?.choice ?? {};
  const viewContext = store.viewContext.value;
  return (
    <search class="toolbar" aria-label={l10n.t('Filter')}>
      <FilterField choice={choice} />
      <Choice
        label={l10n.t('All tools')}
        value={choice.client}
        options={(viewContext?.clients ?? []).map((name) => [name, name])}
        onChoose={(client) => store.choose(withMember(choice, 'client', client))}
      />
      <Choice
        label={l10n.t('All models')}
        value={choice.model}
        options={(viewContext?.models ?? []).map((name) => [name, name])}
        onChoose={(model) => store.choose(withMember(choice, 'model', model))}
      />
      <Choice
        label={l10n.t('Any result')}
        value={choice.outcome}
        options={RESULTS.map((outcome) => [outcome, resultWord(outcome)])}
        onChoose={(outcome) => store.choose(withMember(choice, 'outcome', outcome))}
      />
      <Chips choice={choice} />
      <span class="toolbar-end">
        <Sums />
        <ListActions />
      </span>
    </search>
  );
}

function withMember(choice: TrafficChoice, name: keyof TrafficChoice, value: string | undefined): TrafficChoice {
  const { [name]: _, ...rest } = choice;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** The filter field. The list is updated when the user stops typing. */
function FilterField({ choice }: { readonly choice: TrafficChoice }) {
  const store = useStore();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { text = '' } = choice;
  // The typed text is kept while the list is read for it.
  useEffect(() => {
    if (field.current !== null && document.activeElement !== field.current) field.current.value = text;
  }, [text]);
  const apply = () => {
    clearTimeout(timer.current);
    const typed = field.current?.value ?? '';
    if (typed !== text) store.choose(withMember(choice, 'text', typed === '' ? undefined : typed));
  };
  return (
    <span class="filter-field text-box">
      <Icon name="filter" size={14} />
      <input
        type="text"
        ref={field}
        aria-label={l10n.t('Filter')}
        placeholder={l10n.t('Filter, for example {0}', 'tool:chat')}
        title={l10n.t(
          'Words that must occur. Prefixes limit a word to a column: {0}',
          'tool: model: upstream: endpoint: status: session: miss: secret:',
        )}
        spellcheck={false}
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(apply, TYPING_MS);
        }}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </span>
  );
}

interface ToolbarChoiceProps {
  /** Shown if nothing is chosen. */
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string | undefined) => void;
}

function Choice({ label, value, options, onChoose }: ToolbarChoiceProps) {
  const listed =
    value === undefined || options.some(([name]) => name === value) ? options : [[value, value], ...options];
  return (
    <span class="choice">
      <select
        aria-label={label}
        value={value ?? ''}
        onChange={({ currentTarget }) => onChoose(currentTarget.value === '' ? undefined : currentTarget.value)}
      >
        <option value="">{label}</option>
        {listed.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={12} />
    </span>
  );
}

function keyWord(id: string, names: ViewContext['keyNames']): string {
  const name = names[id];
  return name === undefined ? localKeyName(id, names) : l10n.t('Key {0}', name);
}

/** Shows filters that were set elsewhere, such as in the Usage view. */
function Chips({ choice }: { readonly choice: TrafficChoice }) {
  const store = useStore();
  const { localKeyId, source, conversationId, sessionId, from, to } = choice;
  const names = store.viewContext.value?.keyNames ?? {};
  const chips: [words: string, without: (keyof TrafficChoice)[]][] = [
    ...(localKeyId === undefined ? [] : [chip(keyWord(localKeyId, names), 'localKeyId')]),
    ...(source === undefined ? [] : [chip(sourceWord(source), 'source')]),
    ...(conversationId === undefined ? [] : [chip(l10n.t('One chat'), 'conversationId')]),
    ...(sessionId === undefined ? [] : [chip(l10n.t('One session'), 'sessionId')]),
    ...(from === undefined && to === undefined ? [] : [chip(spanWord(from, to), 'from', 'to')]),
  ];
  return (
    <>
      {chips.map(([words, without]) => (
        <button
          key={words}
          type="button"
          class="chip"
          aria-label={l10n.t('Remove {0} from the filter', words)}
          onClick={() =>
            store.choose(without.reduce<TrafficChoice>((rest, name) => withMember(rest, name, undefined), choice))
          }
        >
          {words}
          <Icon name="close" size={12} />
        </button>
      ))}
    </>
  );
}

function chip(words: string, ...names: (keyof TrafficChoice)[]): [string, (keyof TrafficChoice)[]] {
  return [words, names];
}

function Sums() {
  const store = useStore();
  const list = store.list.value;
  const running = store.running.value;
  if (list === undefined) return null;
  const { exchanges, cost, sampleCost, choice } = list;
  const isRunningOnly = choice.outcome === 'running';
  const sessions = choice.view === 'sessions' ? store.tree.sessions.value?.count : undefined;
  const parts = [
    ...(sessions !== undefined ? [sessionsText(sessions)] : []),
    ...(running > 0 || isRunningOnly ? [l10n.t('{0} running', running)] : []),
    // The sums are those of the ledger, which running requests enter when they end.
    ...(isRunningOnly ? [] : [exchangesText(exchanges)]),
    // Sample amounts are never added to real ones, and are shown alone if nothing else was spent.
    ...(!isRunningOnly && (cost > 0 || sampleCost === 0) ? [formatSum(cost)] : []),
  ];
  return (
    <>
      <span class="sums number">{parts.join(' · ')}</span>
      {sampleCost > 0 && (
        <span class="sums number">
          <SandboxNote />
          {` · ${formatSum(sampleCost)}`}
        </span>
      )}
    </>
  );
}

function sessionsText(count: number): string {
  return count === 1 ? l10n.t('1 session') : l10n.t('{0} sessions', count);
}

function ListActions() {
  const store = useStore();
  const { choice } = store;
  const isPaused = store.isPaused.value;
  const isTree = choice.view === 'sessions';
  const viewContext = store.viewContext.value;
  const captures = viewContext?.capturesBodies === true;
  return (
    <span class="list-actions worded">
      <IconButton
        icon="list-tree"
        label={l10n.t('Group by session')}
        pressed={isTree}
        onClick={() => store.choose(withMember(choice, 'view', isTree ? undefined : 'sessions'))}
      />
      {isTree && (
        <IconButton icon="collapse-all" label={l10n.t('Collapse all')} onClick={() => store.tree.closeAll()} />
      )}
      <IconButton
        icon={isPaused ? 'play' : 'debug-pause'}
        label={isPaused ? l10n.t('Resume') : l10n.t('Pause')}
        pressed={isPaused}
        onClick={() => store.pause(!isPaused)}
      />
      <IconButton
        icon="clear-all"
        label={l10n.t('Show only new requests')}
        onClick={() => store.choose({ ...choice, from: Date.now() })}
      />
      <IconButton
        icon={captures ? 'record' : 'circle-large'}
        class={captures ? 'capturing' : ''}
        label={captures ? l10n.t('Stop capturing bodies and delete them') : l10n.t('Capture bodies')}
        pressed={captures}
        disabled={viewContext?.isTrusted === false}
        onClick={() => store.post({ type: 'setCapture', isOn: !captures })}
      />
      <IconButton icon="graph" label={l10n.t('Open Usage')} onClick={() => store.post({ type: 'openUsage' })} />
    </span>
  );
}
