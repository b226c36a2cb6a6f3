// A virtual list of output lines: only visible lines are rendered, so that long output scrolls smoothly.

import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { bytes } from '../../../core/format.ts';
import { Coloured } from './coloured.tsx';
import type { Lines } from './lines.ts';

interface ViewerProps {
  readonly lines: Lines;
  readonly version: number;
  readonly wanted: string;
  /** The linked or found line; -1 if there is none. */
  readonly at: number;
  readonly isWrapped: boolean;
  readonly isGrowing: boolean;
  /** Scrolls to the end while the output grows. */
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  /** Whether line numbers are stable, so that links to them work. */
  readonly isLinkable: boolean;
  readonly onPick: (label: string) => void;
}

const LINE_PX = 20;
const MOST_PX = 560;
/** Growing output gets its full height immediately. */
const GROWING_PX = 320;

function heightOf({ lines, isWrapped, isGrowing }: ViewerProps): string {
  const least = isWrapped || isGrowing ? GROWING_PX : 2 * LINE_PX;
  return `${Math.min(MOST_PX, Math.max(least, lines.count * LINE_PX + 24))}px`;
}

export function Viewer(props: ViewerProps) {
  const { lines, at, isWrapped } = props;
  const frame = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer(frame, props);
  useScrolling(frame, virtualizer, props);
  const items = virtualizer.getVirtualItems();
  const digits = String(lines.count).length;
  return (
    <section
      ref={frame}
      class="log"
      aria-label="lines of output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs to work by keyboard
      tabIndex={0}
      data-wrapped={isWrapped}
      style={{ height: heightOf(props) }}
    >
      <div class="log-sheet" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {items.map(({ index, start }) => (
          <div
            key={index}
            ref={(element) => virtualizer.measureElement(element)}
            data-index={index}
            data-at={index === at}
            class="log-line"
            style={{ transform: `translateY(${start}px)` }}
          >
            <LineAt {...props} index={index} digits={digits} />
          </div>
        ))}
      </div>
    </section>
  );
}

function LineAt(props: ViewerProps & { index: number; digits: number }) {
  const { lines, wanted, isLinkable, isGrowing, onPick, index, digits } = props;
  const line = lines.at(index);
  if (line.missing !== undefined) return <Missing size={line.missing} />;
  const label = lines.label(index);
  const shared = { class: 'log-number', style: { width: `${digits + 2}ch` } };
  return (
    <>
      {isLinkable && !(isGrowing && label.startsWith('+')) ? (
        <a
          {...shared}
          href={`#L${label}`}
          aria-label={`line ${label}`}
          onClick={(event) => {
            event.preventDefault();
            onPick(label);
          }}
        >
          {label}
        </a>
      ) : (
        <span {...shared}>{label}</span>
      )}
      <code>
        <Coloured line={line} wanted={wanted} />
      </code>
    </>
  );
}

const Missing = ({ size }: { size: number }) => (
  <span class="log-missing">{bytes(size)} were not stored (log_max_bytes). Line numbers below start here.</span>
);

type Frame = { current: HTMLElement | null };

function useVirtualizer(frame: Frame, { lines }: ViewerProps): Virtualizer<HTMLElement, HTMLDivElement> {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const options = {
    count: lines.count,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    measureElement,
    onChange: () => redraw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLDivElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

function useScrolling(frame: Frame, virtualizer: Virtualizer<HTMLElement, HTMLDivElement>, props: ViewerProps): void {
  const { lines, version, at, isWrapped, isFollowing, onFollow } = props;
  useEffect(() => virtualizer.measure(), [virtualizer, isWrapped]);
  useEffect(() => {
    if (at >= 0 && at < lines.count) virtualizer.scrollToIndex(at, { align: 'center' });
  }, [virtualizer, lines, at]);
  useEffect(() => {
    if (isFollowing && lines.count > 0) virtualizer.scrollToIndex(lines.count - 1, { align: 'end' });
  }, [virtualizer, lines, version, isFollowing]);
  useEffect(() => {
    const element = frame.current;
    const stop = (event: WheelEvent | KeyboardEvent): void => {
      const isUp = 'deltaY' in event ? event.deltaY < 0 : ['ArrowUp', 'PageUp', 'Home'].includes(event.key);
      if (isUp) onFollow(false);
    };
    element?.addEventListener('wheel', stop, { passive: true });
    element?.addEventListener('keydown', stop);
    return () => {
      element?.removeEventListener('wheel', stop);
      element?.removeEventListener('keydown', stop);
    };
  }, [frame, onFollow]);
}
