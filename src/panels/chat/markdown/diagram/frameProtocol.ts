/** What the panel and the frame that draws diagrams say to each other. */

/** Colours as `#rrggbb`. */
export interface DiagramColours {
  readonly dark: boolean;
  readonly background: string;
  readonly text: string;
  readonly line: string;
  readonly fill: string;
  readonly border: string;
  readonly note: string;
  readonly accent: string;
  /** For what stands beside each other: shares, branches, sections. */
  readonly series: readonly string[];
}

export interface DrawRequest {
  readonly id: number;
  readonly source: string;
  readonly colours: DiagramColours;
  readonly font: string;
}

export type DrawReply =
  | {
      readonly id: number;
      readonly svg: string;
      /** CSS pixels. */
      readonly width: number;
      readonly height: number;
      /** What is written in the diagram. */
      readonly words: readonly string[];
    }
  | { readonly id: number; readonly problem: string };

/** The frame listens. */
export interface FrameReady {
  readonly ready: true;
}
