import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** Letters that follow `g`. */
export const places: Readonly<Record<string, string>> = { h: '/', i: '/inbox', m: '/machine', s: '/settings' };

const TOGETHER_MS = 1200;

/** The keys of the whole page. While something is being typed only the palette's answers. */
export function useShortcuts(onPalette: () => void): void {
  const [, navigate] = useLocation();
  const lastG = useRef(-Infinity);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const afterG = event.timeStamp - lastG.current < TOGETHER_MS;
      lastG.current = event.key === 'g' ? event.timeStamp : -Infinity;
      const place = event.key === '?' ? '/shortcuts' : afterG ? places[event.key] : undefined;
      if (place !== undefined) {
        event.preventDefault();
        navigate(place);
      } else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type=search]');
        if (search === null) return;
        event.preventDefault();
        search.focus();
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [navigate, onPalette]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
