import { useMemo } from 'preact/hooks';
import { formatMoney } from '../../../display/money.ts';
import type { Surroundings, TrafficRow } from '../../../editor/traffic/protocol.ts';
import { useStore } from '../store.ts';
import { clockTime, costText, keyName, RESULT_ICONS, resultOf, resultWord, tokensText, toolName } from '../words.ts';
import { type ColumnRoom, textWidth } from './columnRoom.ts';
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
  readonly room: ColumnRoom;
  readonly isActive: boolean;
  readonly isOpen: boolean;
}

/** One exchange. The keyboard reaches it by way of the list. Drawn anew only when something of it has changed. */
export function ExchangeLine({ row, index, top, scale, surroundings, room, isActive, isOpen }: LineProps) {
  const store = useStore();
  const cells = useMemo(
    () => <Cells row={row} scale={scale} surroundings={surroundings} room={room} />,
    [row, scale, surroundings, room],
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

function Cells({ row, scale, surroundings, room }: Pick<LineProps, 'row' | 'scale' | 'surroundings' | 'room'>) {
  const result = resultOf(row);
  const isFailure = result === 'failed' || result === 'refused';
  const tool = toolName(row, surroundings);
  const model = row.model ?? row.endpoint ?? '';
  const names = [row.client, keyName(row, surroundings)].filter((name) => name !== undefined);
  return (
    <>
      <span role="gridcell" class={`cell result ${result}`} title={resultWord(result)}>
        <span class={`codicon codicon-${RESULT_ICONS[result]} icon-14`} role="img" aria-label={resultWord(result)} />
      </span>
      <span role="gridcell" class="cell time number">
        {clockTime(row.at)}
      </span>
      <span role="gridcell" class={`cell tool ${clip(tool, room.tool)}`} title={names.join(' · ')}>
        {tool}
      </span>
      <span role="gridcell" class={`cell model ${clip(model, room.model)}`} title={row.model}>
        {model}
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

function clip(text: string, room: number): string {
  return textWidth(text) > room ? 'clipped' : '';
}
