import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import { formatSum } from '../../../display/money.ts';
import { formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { ContextPartSums, ContextState } from '../../../pages/session/context/protocol.ts';
import { LinkButton } from '../../shared/button.tsx';
import { contextColor, contextKindWord } from '../../shared/contextGroups.ts';
import { figureColumn, SortableTable, type TableColumn } from '../../shared/sortableTable.tsx';
import { useStore } from '../store.ts';
import { stepsText } from './findingList.tsx';
import { sourceText } from './findingText.ts';

/** Further parts are shown on request, so many at a time that a page with thousands of them stays quick. */
const SHOWN = 12;
const SHOWN_MORE = 200;
/** Runs of steps that are listed. */
const MAX_RUNS = 4;

/** The parts of the context, the most expensive first. A click on the number of steps shows them in Traffic. */
export function PartTable({ context }: { readonly context: ContextState }) {
  const [limit, setLimit] = useState(SHOWN);
  const [open, setOpen] = useState<ContextPartSums>();
  const { parts } = context;
  const columns = useMemo(() => columnsOf(context, setOpen), [context]);
  return (
    <>
      <SortableTable
        class="context-parts"
        label={l10n.t('Parts of the context')}
        columns={columns}
        rows={parts}
        rowKey={keyOf}
        sortedBy="cost"
        limit={limit}
      />
      {parts.length > limit && (
        <LinkButton
          label={l10n.t('Show {0} more', Math.min(SHOWN_MORE, parts.length - limit))}
          onClick={() => setLimit(limit + SHOWN_MORE)}
        />
      )}
      {open !== undefined && <Runs part={open} context={context} />}
    </>
  );
}

function columnsOf(context: ContextState, onOpen: (part: ContextPartSums) => void): TableColumn<ContextPartSums>[] {
  return [
    {
      key: 'part',
      label: l10n.t('Part'),
      value: (part) => nameOf(part, context),
      show: (part) => (
        <span title={fullName(part, context)}>
          <span class={`swatch ${contextColor(part.kind)}`} />
          <PartName part={part} context={context} />
        </span>
      ),
    },
    figureColumn('tokens', l10n.t('Tokens now'), (tokens) =>
      tokens === 0 ? '–' : <span title={formatTokensExact(tokens)}>{formatTokens(tokens)}</span>,
    ),
    figureColumn('requests', l10n.t('Steps'), (_, part) => (
      <button type="button" class="link" title={l10n.t('Show which steps')} onClick={() => onOpen(part)}>
        {formatTokensExact(part.requests)}
      </button>
    )),
    figureColumn(
      'calls',
      l10n.t('Calls'),
      (calls, { kind }) => (calls > 0 || kind === 'tools' ? formatTokensExact(calls) : '–'),
      'from-560',
    ),
    figureColumn('cost', l10n.t('Cost'), formatSum, 'strong'),
  ];
}

function PartName({ part, context }: { readonly part: ContextPartSums; readonly context: ContextState }) {
  const tool = toolOf(part, context);
  if (tool === '') return <>{nameOf(part, context)}</>;
  return (
    <>
      {tool}
      <span class="quiet">{` ${contextKindWord(part.kind)}`}</span>
    </>
  );
}

/** The steps that carried a part, which open in Traffic. */
function Runs({ part, context }: { readonly part: ContextPartSums; readonly context: ContextState }) {
  const store = useStore();
  const { steps } = part;
  return (
    <p class="context-runs" aria-live="polite">
      <span class={`swatch ${contextColor(part.kind)}`} />
      {nameOf(part, context)}
      {steps.slice(0, MAX_RUNS).map((run) => (
        <button
          key={run[0]}
          type="button"
          class="link"
          title={l10n.t('Show these requests in Traffic')}
          onClick={() => store.showSteps(context.steps.slice(run[0], run[1] + 1))}
        >
          {stepsText(run)}
        </button>
      ))}
      {steps.length > MAX_RUNS && l10n.t('{0} more', steps.length - MAX_RUNS)}
    </p>
  );
}

/** The tool or file of a part. Empty for one that has none. */
function toolOf(part: ContextPartSums, { names }: ContextState): string {
  const { kind, name, server } = part;
  if (name === undefined || kind === 'system') return '';
  // The server is named beside it.
  const tool = server === undefined ? name : name.split(/__|--/).at(-1);
  const source = sourceText({ ...part, name: tool ?? name }, names);
  return server === undefined ? source : `${server} ${source}`;
}

function nameOf(part: ContextPartSums, context: ContextState): string {
  const { kind, name = '' } = part;
  if (kind === 'system') return `${contextKindWord(kind)} ${name}`.trim();
  return `${toolOf(part, context)} ${contextKindWord(kind)}`.trim();
}

function fullName({ name = '', file = '' }: ContextPartSums, { names }: ContextState): string {
  return [name, names[file] ?? ''].filter((text) => text !== '').join(' ');
}

function keyOf({ kind, name, server, file }: ContextPartSums): string {
  return [kind, name, server, file].join('\n');
}
