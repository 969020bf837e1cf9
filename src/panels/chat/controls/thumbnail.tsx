import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';

interface ThumbnailProps {
  readonly picture: string;
  /** Name of the image. */
  readonly label: string;
  /** Shown until the image has loaded, and if it cannot be shown. */
  readonly icon: string;
}

/** The thumbnail of an image. It is loaded when first visible, because a conversation may have hundreds. */
export function Thumbnail({ picture, label, icon }: ThumbnailProps) {
  const { pictures } = useStore();
  const box = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const address = isSeen ? pictures.small(picture).value : undefined;
  return (
    <span ref={box} class="thumbnail">
      {address === undefined ? (
        <Icon name={icon} size={14} />
      ) : (
        <img src={address} alt={l10n.t('Preview of {0}', label)} />
      )}
    </span>
  );
}
