import { type Signal, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * A component whose code is loaded when it is first shown, so that the panel's first script stays small. Nothing is
 * shown until then. A failure, such as a file that an update has removed, reaches the page's own error handler.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded: Signal<ComponentType<Props> | undefined> = signal(undefined);
  return function Late(props: Props) {
    const Component = loaded.value;
    useEffect(() => {
      if (loaded.peek() !== undefined) return;
      void load().then((component) => {
        loaded.value = component;
      });
    }, []);
    return Component === undefined ? null : <Component {...props} />;
  };
}
