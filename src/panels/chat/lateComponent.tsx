import type { ComponentType } from 'preact';
import { late } from '../shared/late.ts';

type LateComponent<Props> = ComponentType<Props> & {
  /** Loads the code before it is shown, so that keys that are pressed after opening it reach it. */
  readonly preload: () => void;
};

/** A component whose code is loaded when it is first shown. Nothing is shown until then. */
export function lateComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): LateComponent<Props> {
  const part = late(load);
  function LateComponent(props: Props) {
    const Component = part.current;
    return Component === undefined ? null : <Component {...props} />;
  }
  return Object.assign(LateComponent, { preload: () => void part.current });
}
