/** Line icons on a 16 px grid, drawn for this page. */
const paths = {
  mark: 'M8 1.3 14 4.7v6.6L8 14.7 2 11.3V4.7zM5.6 10.7 8 5l2.4 5.7M6.5 8.8h3',
  home: 'M2.5 7.5 8 3l5.500 4.5V13h-4V9.500h-3V13h-4z',
  machine: 'M2.500 3.500h11v7.500h-11zM6 13.500h4M8 11v2.500',
  language:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M2 8h12M8 2c2 2 2.500 4 2.500 6s-.5 4-2.500 6c-2-2-2.500-4-2.500-6S6 4 8 2',
  theme: 'M13 9.500A5.500 5.500 0 0 1 6.500 3 5.500 5.500 0 1 0 13 9.500',
  pending: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11',
  ready: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M6.800 5.800 10.300 8l-3.500 2.200z',
  running: 'M13.500 8A5.500 5.500 0 1 1 8 2.500',
  done: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M5.500 8.200 7.300 10l3.300-3.800',
  failed: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M6 6l4 4M10 6l-4 4',
  blocked: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M5.500 8h5',
  waiting:
    'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M6.500 6.600c0-2 3-2 3-.1 0 1.200-1.500 1.200-1.500 2.400M8 10.800v.1',
  evidence: 'M8 1.800 14.200 8 8 14.200 1.800 8zM5.700 8.100l1.600 1.600 3-3.400',
  arrow: 'M3 8h9M9 5l3 3-3 3',
  shield: 'M8 2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  close: 'M4 4l8 8M12 4l-8 8',
  again: 'M13 8a5 5 0 1 1-1.600-3.700M13 2.500v2.500h-2.500',
  info: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M8 7.500v3M8 5.400v.1',
  warning: 'M8 2.500 14 13H2zM8 6.500v3M8 11.200v.1',
} as const;

export type IconName = keyof typeof paths;

export function Icon({
  name,
  small = false,
  spin = false,
}: {
  readonly name: IconName;
  readonly small?: boolean;
  readonly spin?: boolean;
}) {
  return (
    <svg className={`icon${small ? ' small' : ''}${spin ? ' spin' : ''}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} strokeDasharray={name === 'pending' ? '2.2 2' : undefined} />
    </svg>
  );
}
