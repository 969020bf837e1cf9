import { useMemo } from 'preact/hooks';
import { formatMoney } from '../../../display/money.ts';
import type { Surroundings, TrafficRow } from '../../../editor/traffic/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../store.ts';
import { clockTime, costText, keyName, RESULT_ICONS, resultOf, resultWord, tokensText, toolName } from '../words.ts';
import type { TimeScale } from './scale.ts';
import { Waterfall } from './waterfall.tsx';

export function lineId(id: string): string {
  return `exchange-${id}`;
}

export interface LineProps {
  readonly row: TrafficRow;
  readonly index: number;
  /** In pixels. */
  readonly top: number;
  readonly scale: TimeScale;
  readonly surroundings: Surroundings | undefined;
  readonly isActive: boolean;
  readonly isOpen: boolean;
}

/** One exchange. The keyboard reaches it by way of the list. Drawn anew only when something of it has changed. */
export function ExchangeLine({ row, index, top, scale, surroundings, isActive, isOpen }: LineProps) {
  const store = useStore();
  const cells = useMemo(
    () => <Cells row={row} scale={scale} surroundings={surroundings} />,
    [row, scale, surroundings],
  );
  return (
    <div
      role="row"
      id={lineId(row.id)}
      class={`line ${isActive ? 'active' : ''} ${isOpen ? 'open' : ''}`}
      style={{ top: `${top}px` }}
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      onClick={() => store.openExchange(row)}
    >
      {cells}
    </div>
  );
}

function Cells({ row, scale, surroundings }: Pick<LineProps, 'row' | 'scale' | 'surroundings'>) {
  const result = resultOf(row);
  const isFailure = result === 'failed' || result === 'refused';
  const names = [row.client, keyName(row, surroundings)].filter((name) => name !== undefined);
  return (
    <>
      <span role="gridcell" class={`cell result ${result}`} title={resultWord(result)}>
        <Icon name={RESULT_ICONS[result]} size={14} />
        <span class="hidden-text">{resultWord(result)}</span>
      </span>
      <span role="gridcell" class="cell time number">
        {clockTime(row.at)}
      </span>
      <span role="gridcell" class="cell tool" title={names.join(' · ')}>
        {toolName(row, surroundings)}
      </span>
      <span role="gridcell" class="cell model" title={row.model}>
        {row.model ?? row.endpoint ?? ''}
      </span>
      <span role="gridcell" class="cell figure number in">
        {tokensText(row, 'inputTokens')}
      </span>
      <span role="gridcell" class="cell figure number out">
        {tokensText(row, 'outputTokens')}
      </span>
      <span
        role="gridcell"
        class={`cell figure number cost ${isFailure ? 'failure' : ''}`}
        title={row.cost === undefined ? undefined : formatMoney(row.cost)}
      >
        {costText(row)}
      </span>
      <span role="gridcell" class="cell axis">
        <Waterfall row={row} scale={scale} />
      </span>
    </>
  );
}
