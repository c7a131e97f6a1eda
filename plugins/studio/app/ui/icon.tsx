const paths = {
  template: 'M3.5 2.5h9v11h-9zM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
  history: 'M8 4.5V8l2.3 1.6M2.5 8a5.5 5.5 0 1 0 1.7-4M2.5 2.5v2.2h2.2',
  batch: 'M2.500 5.500 8 2.500l5.500 3L8 8.500zM2.500 8.200 8 11.200l5.500-3M2.500 10.900 8 13.900l5.500-3',
  tools: 'M5.5 2.5h5l3 3v8h-11v-11zM10 2.5v3.5h3.5M5 10.5h6M8 7.5v6',
  market: 'M2.5 6.5 3.5 3h9l1 3.5M2.5 6.5h11M3.5 7v6.5h9V7M6.5 13.5v-4h3v4',
  key: 'M5.5 13a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM7.300 8.700l5.700-5.700M10.500 5.500l2 2',
  usage: 'M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V5.5',
  account: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.6-2.3 2.6-3.5 5-3.5s4.400 1.200 5 3.500',
  webhook:
    'M8 6.500 5.500 10.500M8 6.500a2 2 0 1 0-2-2M5.500 10.500a2 2 0 1 0-1-3M10.500 10.500h-5M10.500 10.500a2 2 0 1 0 1.500-3.200L9.500 4',
  assets: 'M2.500 3.500h11v9h-11zM2.500 10.500l3-3 2.500 2.500 2-2 3.500 3.500M10.500 6v.01',
  shield: 'M8 2.500 3.500 4v4c0 2.800 1.800 4.700 4.500 5.500 2.700-.8 4.500-2.700 4.500-5.500V4z',
  gauge: 'M3.200 12a5.500 5.500 0 1 1 9.600 0M8 9l2.500-3',
  plus: 'M8 3.500v9M3.500 8h9',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.300 10.300l3.200 3.200',
  check: 'M3.500 8.500 6.500 11.500 12.500 5',
  copy: 'M5.500 5.500h7v8h-7zM10.500 5.500v-3h-7v8h2',
  trash: 'M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.5 9h6l.5-9',
  download: 'M8 2.500v7M5 7l3 3 3-3M3 13.500h10',
  left: 'M10 3.500 5.500 8l4.500 4.500',
  right: 'M6 3.500 10.500 8 6 12.500',
  down: 'M3.500 6 8 10.500 12.500 6',
  up: 'M3.500 10 8 5.500l4.500 4.500',
  close: 'M4 4l8 8M12 4l-8 8',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  warning: 'M8 2.500 14 13H2zM8 6.500v3M8 11.300v.01',
  error: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11zM8 5v3.500M8 10.800v.01',
  code: 'M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500',
  play: 'M5 3.500v9l7-4.500z',
  sun: 'M8 10.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM8 1.500v1.500M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1 1M11.600 11.600l1 1M3.400 12.600l1-1M11.600 4.400l1-1',
  moon: 'M13 9.500A5.500 5.500 0 1 1 6.500 3a4.500 4.500 0 0 0 6.500 6.500z',
  out: 'M9.500 2.500h-6v11h6M7 8h6.500M11 5.500 13.500 8 11 10.500',
  book: 'M3 3.500c2-.8 3.500-.8 5 .5 1.500-1.300 3-1.300 5-.5v9c-2-.8-3.500-.8-5 .5-1.500-1.300-3-1.300-5-.5zM8 4v9',
  spark: 'M8 2.500 9.300 6.700 13.500 8 9.300 9.300 8 13.500 6.700 9.300 2.500 8 6.700 6.700z',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  restore: 'M3 6.500h6.500a3.500 3.500 0 0 1 0 7H6M3 6.500l3-3M3 6.500l3 3',
  drag: 'M6 4v.01M6 8v.01M6 12v.01M10 4v.01M10 8v.01M10 12v.01',
  upload: 'M8 10V3M5 5.500 8 2.500l3 3M3 13.500h10',
  fit: 'M2.500 6v-3.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** Draws an icon of 16 by 16 pixels, hidden from assistive technology. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <path
        d={paths[name]}
        stroke="currentColor"
        stroke-width={name === 'more' || name === 'drag' ? 2 : 1.35}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** Draws the mark of Platen: a sheet on a roller. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect class="mark-ground" width="32" height="32" rx="8" />
      <path class="mark-sheet" d="M10 7h9l4 4v8H10z" />
      <rect class="mark-roller" x="6" y="21" width="20" height="4" rx="2" />
    </svg>
  );
}
