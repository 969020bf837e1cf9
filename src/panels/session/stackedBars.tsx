import type { Scale } from '../shared/plot/slotPlot.tsx';
import type { TurnBin } from './bins.ts';

/** Widths and gap in CSS pixels. */
const [MAX_WIDTH, MIN_WIDTH, GAP] = [22, 4, 0.8];

interface StackedBarsProps {
  readonly bins: readonly TurnBin[];
  /** The parts of a bar, from the bottom. */
  readonly parts: (bin: TurnBin) => readonly (readonly [color: string, value: number])[];
  readonly scale: Scale;
}

export function StackedBars({ bins, parts, scale }: StackedBarsProps) {
  const width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, scale.slotWidth * 0.6));
  return (
    <>
      {bins.map((bin, index) => {
        let below = 0;
        return parts(bin).map(([color, value]) => {
          const [bottom, top] = [scale.y(below), scale.y(below + value)];
          below += value;
          const height = Math.max(0, bottom - top - GAP);
          return height === 0 ? null : (
            <rect
              key={`${bin.label} ${color}`}
              class={`bar ${color}`}
              x={scale.x(index) - width / 2}
              y={top}
              width={width}
              height={height}
            />
          );
        });
      })}
    </>
  );
}
