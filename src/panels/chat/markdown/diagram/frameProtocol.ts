/** Messages between the panel and the frame that draws diagrams. */

/** Colors as `#rrggbb`. */
export interface DiagramColors {
  readonly dark: boolean;
  readonly background: string;
  readonly text: string;
  readonly line: string;
  readonly fill: string;
  readonly border: string;
  readonly note: string;
  readonly accent: string;
  /** Series colors, for shares, branches, and sections. */
  readonly series: readonly string[];
}

export interface DrawRequest {
  readonly id: number;
  readonly source: string;
  readonly colors: DiagramColors;
  readonly font: string;
}

export type DrawReply =
  | {
      readonly id: number;
      readonly svg: string;
      /** In CSS pixels. */
      readonly width: number;
      readonly height: number;
      /** The texts in the diagram. */
      readonly words: readonly string[];
    }
  | { readonly id: number; readonly problem: string };

/** Sent when the frame is ready. */
export interface FrameReady {
  readonly ready: true;
}
