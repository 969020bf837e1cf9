import type { Scale } from '../shared/plot/slotPlot.tsx';
import type { TurnBin } from './bins.ts';

/** In CSS pixels: the size of a mark, its distance from the bar, and the least distance from the upper edge. */
const [SIZE, GAP, TOP] = [11, 4, 1];

/** Marks the turns in which a cache was missed that could have been read. The sections below name them in words. */
export function MissMarks({ bins, scale }: { readonly bins: readonly TurnBin[]; readonly scale: Scale }) {
  return (
    <>
      {bins.map((bin, index) => {
        if (!bin.turns.some(({ misses }) => misses.length > 0)) return null;
        const x = scale.x(index);
        const top = Math.max(TOP, scale.y(bin.context) - GAP - SIZE);
        return (
          <g key={bin.label} class="miss-mark">
            <path d={`M${x},${top + 1} L${x + SIZE / 2},${top + SIZE} H${x - SIZE / 2} Z`} />
            <path d={`M${x},${top + 4.2} V${top + 7} M${x},${top + 8.4} V${top + 9.2}`} />
          </g>
        );
      })}
    </>
  );
}
