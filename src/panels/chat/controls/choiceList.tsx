import { useLayoutEffect } from 'preact/hooks';
import { formatTokens, spokenTokens } from '../../../display/tokens.ts';
import { Icon } from '../../shared/icon.tsx';
import { reveal } from '../../shared/reveal.ts';

/** The name of the key as on keyboards. */
const TAB = 'Tab';

export interface ChoiceRow {
  readonly id: string;
  readonly icon: string;
  readonly label: string;
  readonly note?: string | undefined;
  readonly tokens?: number | undefined;
}

export interface ChoiceGroup<Row extends ChoiceRow> {
  readonly key: string;
  readonly name: string;
  /** Where the items are from, on the right of the name. */
  readonly source?: string | undefined;
  readonly rows: readonly Row[];
}

interface ChoiceListProps<Row extends ChoiceRow> {
  /** ID of the list, and the start of its rows' IDs. */
  readonly id: string;
  readonly label: string;
  readonly groups: readonly ChoiceGroup<Row>[];
  readonly active: Row | undefined;
  /** The text whose place in the labels is marked. */
  readonly query: string;
  /** ID of the row that Tab chooses without a look at the list. */
  readonly tabRow?: string | undefined;
  readonly onChoose: (row: Row) => void;
  readonly onPoint: (row: Row) => void;
}

/** The rows above the composer that the message's text filters. The focus stays in the message, which takes the keys. */
export function ChoiceList<Row extends ChoiceRow>(props: ChoiceListProps<Row>) {
  const { id, label, groups, active } = props;
  const rows = groups.flatMap((group) => group.rows);
  const activeIndex = active === undefined ? -1 : rows.findIndex((row) => row.id === active.id);
  useLayoutEffect(() => {
    reveal(document.getElementById(choiceId(id, activeIndex)));
  }, [id, activeIndex, rows.length]);
  return (
    <div id={id} role="listbox" aria-label={label} class="choice-list">
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
        <div key={group.key} role="group" aria-label={[group.name, group.source].filter(Boolean).join(', ')}>
          <div class="choice-group" role="presentation">
            <span>{group.name}</span>
            {group.source !== undefined && <span class="choice-source">{group.source}</span>}
          </div>
          {group.rows.map((row) => (
            <Choice key={row.id} {...props} row={row} index={rows.indexOf(row)} isActive={rows[activeIndex] === row} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** IDs of elements have no spaces, which paths and names may have. */
export function choiceId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

interface ChoiceProps<Row extends ChoiceRow> extends ChoiceListProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly isActive: boolean;
}

function Choice<Row extends ChoiceRow>({ id, row, index, isActive, query, tabRow, ...on }: ChoiceProps<Row>) {
  const { icon, label, note, tokens } = row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the composer takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the composer has the focus
    <div
      id={choiceId(id, index)}
      role="option"
      class={`row choice-row${isActive ? ' active' : ''}`}
      aria-selected={isActive}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={() => on.onPoint(row)}
      onClick={() => on.onChoose(row)}
    >
      <Icon name={icon} />
      <span class="row-name">
        <Marked label={label} query={query} />
        {note !== undefined && note !== '' && <span class="row-note from-280"> {note}</span>}
      </span>
      {isActive && tabRow === row.id && (
        <span class="key" aria-hidden="true">
          {TAB}
        </span>
      )}
      {tokens !== undefined && (
        <span class="row-tokens number">
          <span aria-hidden="true">{formatTokens(tokens)}</span>
          <span class="hidden-text">{spokenTokens(tokens)}</span>
        </span>
      )}
    </div>
  );
}

/** Marks the query in the label. */
function Marked({ label, query }: { readonly label: string; readonly query: string }) {
  const at = query === '' ? -1 : label.toLowerCase().indexOf(query.toLowerCase());
  if (at === -1) return <bdi>{label}</bdi>;
  const end = at + query.length;
  return (
    <bdi>
      {label.slice(0, at)}
      <span class="row-match">{label.slice(at, end)}</span>
      {label.slice(end)}
    </bdi>
  );
}
