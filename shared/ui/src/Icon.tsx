const circle = 'M17.2 10a7.2 7.2 0 1 1-14.4 0 7.2 7.2 0 0 1 14.4 0z'

/** Outlines on a 20 × 20 grid, drawn with a round 1.6 px line. */
const outlines = {
  alert: 'M10 3.2 2 17h16zM10 8.2v3.8M10 14.4v.1',
  arrow: 'M4 10h12M11 5l5 5-5 5',
  back: 'M16 10H4M9 5l-5 5 5 5',
  bad: `${circle}M7.4 7.4l5.2 5.2M12.6 7.4l-5.2 5.2`,
  bell: 'M5 13.5V9a5 5 0 0 1 10 0v4.5l1.3 1.5H3.7zM8.3 17.2a1.8 1.8 0 0 0 3.4 0',
  bookmark: 'M5.5 3h9v14L10 13.3 5.5 17z',
  calendar: 'M3.5 5h13v11.5h-13zM3.5 8.6h13M7 3v3.4M13 3v3.4',
  check: 'm4 10.5 4 4 8-9',
  clip: 'm15.5 9.5-5.6 5.6a3.5 3.5 0 0 1-5-5L11 4a2.3 2.3 0 0 1 3.3 3.3l-6 6a1.1 1.1 0 0 1-1.6-1.6l5.2-5.2',
  clock: `${circle}M10 6v4.3l2.8 1.7`,
  copy: 'M8.5 7H15a1.5 1.5 0 0 1 1.5 1.5V15a1.5 1.5 0 0 1-1.5 1.5H8.5A1.5 1.5 0 0 1 7 15V8.5A1.5 1.5 0 0 1 8.5 7zM13 7V3.8H3.8V13H7',
  dense: 'M3.5 4h13M3.5 8h13M3.5 12h13M3.5 16h13',
  down: 'm5 8 5 5 5-5',
  download: 'M10 3.2v9M6.5 8.8l3.5 3.5 3.5-3.5M3.5 16.5h13',
  external: 'M8 5H4v11h11v-4M11 3.5h5.5V9M16.2 3.8 9 11',
  columns: 'M4.5 4h11v12h-11zM8.2 4v12M11.8 4v12',
  eye: 'M2 10s3-5.2 8-5.2S18 10 18 10s-3 5.2-8 5.2S2 10 2 10zM12.2 10a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0z',
  'eye-off':
    'M7.6 5.1A8 8 0 0 1 10 4.8c5 0 8 5.2 8 5.2a14 14 0 0 1-2.3 2.8M12.4 14.9a8 8 0 0 1-2.4.3c-5 0-8-5.2-8-5.2a14 14 0 0 1 2.6-3.1M3.5 3.5l13 13',
  file: 'M5 2.8h6.5l4 4.2v10.2H5zM11.3 3v4.2h4',
  filter: 'M3 5h14M5.5 10h9M8.5 15h3',
  folder:
    'M3 6a1.5 1.5 0 0 1 1.5-1.5h3.2l1.8 2h6A1.5 1.5 0 0 1 17 8v6.5a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5z',
  globe: `${circle}M2.8 10h14.4M10 2.8c2 2 3 4.4 3 7.2s-1 5.2-3 7.2c-2-2-3-4.4-3-7.2s1-5.2 3-7.2z`,
  good: `${circle}M6.8 10.3l2.3 2.3 4.2-4.8`,
  grid: 'M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z',
  home: 'M3 9.2 10 3.5l7 5.7V16a1 1 0 0 1-1 1h-3.6v-4.6H7.6V17H4a1 1 0 0 1-1-1z',
  inbox: 'M3 11.5 5.2 4.5h9.6l2.2 7v4.5H3zM3 11.5h4l1 2h4l1-2h4',
  info: `${circle}M10 9.3v4.3M10 6.4v.1`,
  key: 'M11 9.5 16.5 4M14 6.5l2 2M11.6 12a3.6 3.6 0 1 1-7.2 0 3.6 3.6 0 0 1 7.2 0z',
  left: 'm12 5-5 5 5 5',
  lock: 'M4.5 9h11v8h-11zM6.8 9V6.5a3.2 3.2 0 0 1 6.4 0V9',
  logout: 'M8 3.5H4v13h4M8.5 10H17M13.5 6.5 17 10l-3.5 3.5',
  mail: 'M3 5h14v10.5H3zM3.3 5.5 10 11l6.7-5.5',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  message: 'M3.5 4.5h13v9h-7l-3.5 3v-3H3.5z',
  moon: 'M16 11.8A6.6 6.6 0 0 1 8.2 4a6.6 6.6 0 1 0 7.8 7.8z',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  panel:
    'M4.5 4h11A1.5 1.5 0 0 1 17 5.5v9a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5v-9A1.5 1.5 0 0 1 4.5 4zM8 4v12',
  pencil: 'M4 13.2V16h2.8l8.2-8.2L12.2 5zM10.6 6.6l2.8 2.8',
  phone:
    'M7.8 2.5h4.4A1.8 1.8 0 0 1 14 4.3v11.4a1.8 1.8 0 0 1-1.8 1.8H7.8A1.8 1.8 0 0 1 6 15.7V4.3a1.8 1.8 0 0 1 1.8-1.8zM9.2 15h1.6',
  pin: 'M10 17.5s5.5-4.6 5.5-9.2a5.5 5.5 0 0 0-11 0c0 4.6 5.5 9.2 5.5 9.2zM12 8.3a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  play: 'M6.5 4 16 10l-9.5 6z',
  plug: 'M7 3v4M13 3v4M5 7h10v2.5a5 5 0 0 1-10 0zM10 14.5v3',
  plus: 'M10 4v12M4 10h12',
  print: 'M6 7V3h8v4M6 14H3.5V7h13v7H14M6 11.5h8V17H6z',
  question: `${circle}M7.9 7.9a2.1 2.1 0 1 1 3.1 1.9c-.7.4-1 .7-1 1.4M10 13.7v.1`,
  retry: 'M16 10a6 6 0 1 1-1.8-4.3M16.3 3v3.2h-3.2',
  right: 'm8 5 5 5-5 5',
  rows: 'M3.5 5h13M3.5 10h13M3.5 15h13',
  school: 'M10 4 2 8l8 4 8-4zM5.5 9.8v3.7c0 1 2 2.2 4.5 2.2s4.5-1.2 4.5-2.2V9.8M18 8v4.5',
  search: 'M14.5 9a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM13.2 13.2l3.6 3.6',
  send: 'm17 3-8.5 8.5M17 3l-5 14-3.5-5.5L3 8z',
  sheet: 'M5 2.8h6.5l4 4.2v10.2H5zM11.3 3v4.2h4M7.6 10.4h5.2M7.6 13.6h5.2M10.2 10.4v3.2',
  shield: 'm10 2.8 6 2.2v4.6c0 3.6-2.5 6.3-6 7.6-3.5-1.3-6-4-6-7.6V5zM7.4 9.9l1.9 1.9 3.3-3.7',
  sort: 'M10 4.5v11M6 11.5l4 4 4-4',
  spin: 'M10 3a7 7 0 1 1-7 7',
  stop: 'M5 5h10v10H5z',
  sun: 'M13.2 10a3.2 3.2 0 1 1-6.4 0 3.2 3.2 0 0 1 6.4 0zM10 2.5v1.7M10 15.8v1.7M2.5 10h1.7M15.8 10h1.7M4.7 4.7l1.2 1.2M14.1 14.1l1.2 1.2M4.7 15.3l1.2-1.2M14.1 5.9l1.2-1.2',
  transfers: 'M3.5 6.5h12M12.5 3.5l3 3-3 3M16.5 13.5h-12M7.5 10.5l-3 3 3 3',
  trash: 'M3.5 5.5h13M8 5.5v-2h4v2M5.2 5.5 6 17h8l.8-11.5M8.5 8.5v5.5M11.5 8.5v5.5',
  up: 'm5 12 5-5 5 5',
  upload: 'M10 12.5v-9M6.5 6.8 10 3.3l3.5 3.5M3.5 16.5h13',
  user: 'M13 7a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM4 16.8c0-3 2.7-4.8 6-4.8s6 1.8 6 4.8',
  users:
    'M10.3 6.7a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0zM2.5 16.5c0-2.6 2.2-4.4 5-4.4s5 1.8 5 4.4M13.2 4.2a2.6 2.6 0 0 1 0 5M14.6 12.3c1.8.5 2.9 2 2.9 4.2',
  x: 'm5 5 10 10M15 5 5 15',
}

/** The name of a drawing of the one icon set. */
export type IconName = keyof typeof outlines

/** Every icon there is, for lists of them. */
export const iconNames = Object.keys(outlines) as IconName[]

/** A decorative drawing beside words; it never carries a meaning alone, so it is hidden from readers. */
export function Icon({
  name,
  size = 18,
  className = '',
}: {
  name: IconName
  size?: 14 | 16 | 18
  className?: string
}) {
  const classes = `i ${size === 18 ? '' : `i-${size}`} ${name === 'spin' ? 'spin' : ''} ${className}`
  return (
    <svg className={classes.replace(/ +/g, ' ').trim()} viewBox="0 0 20 20" aria-hidden="true">
      <path d={outlines[name]} strokeWidth={name === 'more' ? 2.6 : undefined} />
    </svg>
  )
}
