import type { ComponentType } from 'preact';
import { late } from './late.ts';

/** A component whose code is loaded when it is first shown. Nothing is shown until then. */
export function lateComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const part = late(load);
  return function LateComponent(props: Props) {
    const Component = part.current;
    return Component === undefined ? null : <Component {...props} />;
  };
}
