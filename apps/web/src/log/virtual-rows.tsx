import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

export const ROW_HEIGHT = 18;
/** Browsers stop counting pixels at some height (the lowest at about 17 million): beyond this the bar is a scale. */
const MAX_HEIGHT = 8_000_000;
const EXTRA_ROWS = 12;

interface Props {
  readonly rows: number;
  readonly label: string;
  /** The row that is to be in the middle; a new object moves there again. */
  readonly goTo: { readonly row: number } | undefined;
  /** Keeps the last row in sight. */
  readonly follow: boolean;
  /** A person has moved away from the end, or back to it. */
  readonly onFollow: (follow: boolean) => void;
  readonly onSeen: (from: number, to: number) => void;
  readonly row: (index: number) => ReactNode;
}

/** A list of any length of which only what is seen exists; a million rows scroll as far as the bar goes, row by row. */
export function VirtualRows({ rows, label, goTo, follow, onFollow, onSeen, row }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  const [top, setTop] = useState(0);
  const seen = Math.ceil(height / ROW_HEIGHT);
  const lastTop = Math.max(0, rows * ROW_HEIGHT - height);
  const shownHeight = Math.min(rows * ROW_HEIGHT, MAX_HEIGHT);
  const barRange = Math.max(1, shownHeight - height);
  const scaled = rows * ROW_HEIGHT > MAX_HEIGHT;
  const place = follow ? lastTop : Math.min(top, lastTop);
  const bar = scaled ? (place / lastTop) * barRange : place;
  const first = Math.max(0, Math.floor(place / ROW_HEIGHT) - EXTRA_ROWS);
  const end = Math.min(rows, Math.floor(place / ROW_HEIGHT) + seen + EXTRA_ROWS);

  /** To a place in pixels of all rows; at the end the list follows again. */
  const move = (to: number) => {
    const next = Math.max(0, Math.min(to, lastTop));
    setTop(next);
    onFollow(next >= lastTop - 1);
  };

  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current!;
    if (Math.abs(element.scrollTop - bar) >= 1) element.scrollTop = bar;
  }, [bar]);
  useEffect(() => onSeen(first, end), [first, end, rows]);
  useEffect(() => {
    if (goTo !== undefined) move((goTo.row - Math.floor(seen / 2)) * ROW_HEIGHT);
  }, [goTo]);
  useEffect(() => {
    const element = box.current!;
    // A passive listener, as React adds, could not keep the bar from moving by its own scale.
    const onWheel = (event: WheelEvent) => {
      if (!scaled || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      move(place + (event.deltaMode === 1 ? event.deltaY * ROW_HEIGHT : event.deltaY));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  });

  const onScroll = () => {
    const { scrollTop } = box.current!;
    if (Math.abs(scrollTop - bar) < 1) return; // our own doing
    move(scaled ? (scrollTop / barRange) * lastTop : scrollTop);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: ROW_HEIGHT,
      ArrowUp: -ROW_HEIGHT,
      PageDown: height - ROW_HEIGHT,
      PageUp: ROW_HEIGHT - height,
      End: Infinity,
      Home: -Infinity,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(place + step);
  };

  return (
    <div
      ref={box}
      className="virtual"
      role="log"
      aria-label={label}
      aria-live="off"
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: shownHeight }} className="virtual-space">
        <div className="virtual-rows" style={{ transform: `translateY(${bar - (place - first * ROW_HEIGHT)}px)` }}>
          {Array.from({ length: Math.max(0, end - first) }, (_, at) => row(first + at))}
        </div>
      </div>
    </div>
  );
}
