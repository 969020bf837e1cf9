import type { ComponentChildren } from 'preact';
import { useWidth } from '../hooks.ts';
import { type Axis, labelPlaces } from './axis.ts';

/** Sizes in CSS pixels: the minimum space to the left of the plot, the space below it, for each label, and above it. */
const [MIN_AXIS_WIDTH, LABEL_HEIGHT, LABEL_WIDTH, TOP] = [56, 22, 72, 6];
/** Sizes in CSS pixels: the gap between the axis labels and the plot, and the width of one of their characters. */
const [AXIS_GAP, CHARACTER_WIDTH] = [8, 7];

/** Positions of values in the plot, in CSS pixels. */
export interface Scale {
  /** The left edge of the first slot. */
  readonly left: number;
  /** Returns the middle of a slot. */
  readonly x: (index: number) => number;
  readonly slotWidth: number;
  readonly y: (value: number) => number;
}

/** A slot on the horizontal axis. */
export interface PlotSlot {
  readonly label: string;
}

export interface SlotPlotProps<Slot extends PlotSlot> {
  readonly slots: readonly Slot[];
  readonly axis: Axis;
  readonly format: (value: number) => string;
  readonly height: number;
  /** A one-sentence description of the plot. */
  readonly label: string;
  /** The index of the slot with the band. */
  readonly marked: number | undefined;
  readonly onMark: (index: number | undefined) => void;
  /** Called when the slot is chosen with the pointer or with Enter. */
  readonly onChoose: (slot: Slot) => void;
  readonly children: (scale: Scale) => ComponentChildren;
}

/**
 * A plot over the slots of an axis, such as days. The pointer and the arrow keys move a band; the caller shows the
 * values at it.
 */
export function SlotPlot<Slot extends PlotSlot>(props: SlotPlotProps<Slot>) {
  const { slots, axis, format, height, label, marked, onMark, onChoose, children } = props;
  const [element, width] = useWidth<HTMLDivElement>();
  const left = axisWidth(axis.ticks.map(format));
  const room = Math.max(0, width - left);
  const slotWidth = room / Math.max(1, slots.length);
  const bottom = height - LABEL_HEIGHT;
  const { min = 0 } = axis;
  const scale: Scale = {
    left,
    x: (index) => left + (index + 0.5) * slotWidth,
    slotWidth,
    y: (value) => bottom - ((value - min) / (axis.max - min)) * (bottom - TOP),
  };
  const onPointerMove = ({ offsetX }: PointerEvent) => {
    const index = Math.floor((offsetX - left) / slotWidth);
    onMark(index >= 0 && index < slots.length ? index : undefined);
  };
  const choose = () => {
    const slot = marked === undefined ? undefined : slots[marked];
    if (slot !== undefined) onChoose(slot);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextMark(event.key, marked, slots.length);
    if (event.key === 'Enter') choose();
    else if (next === 'none') onMark(undefined);
    else if (next !== undefined) onMark(next);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={element}
      class="plot"
      style={{ height: `${height}px` }}
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the band
      tabIndex={0}
      aria-label={label}
      onPointerMove={onPointerMove}
      onPointerLeave={() => onMark(undefined)}
      onBlur={() => onMark(undefined)}
      onKeyDown={onKeyDown}
      onClick={choose}
    >
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          {marked !== undefined && (
            <rect class="band" x={scale.x(marked) - slotWidth / 2} y={TOP} width={slotWidth} height={bottom - TOP} />
          )}
          <ValueAxis axis={axis} scale={scale} width={width} format={format} />
          {children(scale)}
          <SlotAxis slots={slots} scale={scale} room={room} y={height - 4} />
        </svg>
      )}
    </div>
  );
}

/** Returns the width of the axis labels, which are long for amounts below one cent. */
function axisWidth(labels: readonly string[]): number {
  const longest = Math.max(...labels.map(({ length }) => length));
  return Math.max(MIN_AXIS_WIDTH, longest * CHARACTER_WIDTH + AXIS_GAP);
}

interface ValueAxisProps extends Pick<SlotPlotProps<PlotSlot>, 'axis' | 'format'> {
  readonly scale: Scale;
  readonly width: number;
}

function ValueAxis({ axis, scale, width, format }: ValueAxisProps) {
  return (
    <>
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line class="grid-line" x1={scale.left} x2={width} y1={scale.y(tick)} y2={scale.y(tick)} />
          <text class="axis-label" x={scale.left - AXIS_GAP} y={scale.y(tick)} dy="0.35em" text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
    </>
  );
}

interface SlotAxisProps extends Pick<SlotPlotProps<PlotSlot>, 'slots'> {
  readonly scale: Scale;
  /** The width of all slots. */
  readonly room: number;
  readonly y: number;
}

function SlotAxis({ slots, scale, room, y }: SlotAxisProps) {
  // A label that is wider than its slot would overlap the figures on the left.
  const isWide = (slots[0]?.label.length ?? 0) * CHARACTER_WIDTH > scale.slotWidth;
  return (
    <>
      {labelPlaces(slots.length, room, LABEL_WIDTH).map((index) => {
        const isAtStart = index === 0 && isWide;
        return (
          <text
            key={index}
            class="axis-label"
            x={isAtStart ? Math.max(scale.left, scale.x(0) - scale.slotWidth / 2) : scale.x(index)}
            y={y}
            text-anchor={isAtStart ? 'start' : 'middle'}
          >
            {slots[index]?.label}
          </text>
        );
      })}
    </>
  );
}

function nextMark(key: string, marked: number | undefined, count: number): number | 'none' | undefined {
  const last = count - 1;
  switch (key) {
    case 'ArrowRight':
      return marked === undefined ? 0 : Math.min(last, marked + 1);
    case 'ArrowLeft':
      return marked === undefined ? last : Math.max(0, marked - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'Escape':
      return 'none';
    default:
      return undefined;
  }
}
