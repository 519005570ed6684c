import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

export interface Look {
  readonly theme: Theme;
  readonly density: Density;
}

const stored = { theme: 'assay.theme', density: 'assay.density' } as const;
const listeners = new Set<() => void>();
let look: Look = read();
show();

function read(): Look {
  const [theme, density] = [localStorage.getItem(stored.theme), localStorage.getItem(stored.density)];
  return {
    theme: themes.find((one) => one === theme) ?? 'system',
    density: densities.find((one) => one === density) ?? 'comfortable',
  };
}

function show(): void {
  const { dataset } = document.documentElement;
  if (look.theme === 'system') delete dataset['theme'];
  else dataset['theme'] = look.theme;
  dataset['density'] = look.density;
}

/** How the page looks; kept in this browser, and the same in all of its windows. */
export function setLook(change: Partial<Look>): void {
  look = { ...look, ...change };
  localStorage.setItem(stored.theme, look.theme);
  localStorage.setItem(stored.density, look.density);
  changed();
}

function changed(): void {
  show();
  for (const listener of listeners) listener();
}

addEventListener('storage', () => {
  look = read();
  changed();
});

export function isDark({ theme }: Look): boolean {
  return theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
}

export function useLook(): Look {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => look,
  );
}
