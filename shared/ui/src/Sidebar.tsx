import { useLingui } from '@lingui/react/macro'
import { Icon, type IconName } from './Icon.tsx'
import { plainLink, type RenderLink } from './link.tsx'

/** An entry of the navigation; sub-entries show while their section is open. */
export type NavEntry = {
  key: string
  label: string
  href: string
  icon?: IconName
  count?: number
  current?: boolean
  open?: boolean
  entries?: NavEntry[]
}

/** The programme's mark: a diamond of the woven cloth. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#2f3f8f" />
    <g fill="none" stroke="#fff" strokeWidth="1.7" strokeLinejoin="round" strokeLinecap="round">
      <path d="M16 6.5 25.5 16 16 25.5 6.5 16z" />
      <path d="m16 12 4 4-4 4-4-4z" stroke="#f0b27a" />
      <path d="M5 5l3 3M27 5l-3 3M5 27l3-3M27 27l-3-3" opacity=".75" />
    </g>
  </svg>
)

/** What the brand needs. */
export type BrandProps = {
  href: string
  name: string
  line?: string
  renderLink?: RenderLink
  phone?: boolean
}

/** Mark and name of the product, leading home. */
export function Brand({ href, name, line, renderLink = plainLink, phone }: BrandProps) {
  return renderLink({
    href,
    className: phone ? 'brand only-phone' : 'brand',
    // In a narrow top bar only the mark is seen.
    'aria-label': line ? `${name} ${line}` : name,
    children: (
      <>
        <Mark />
        <span>
          {name}
          {line && <small>{line}</small>}
        </span>
      </>
    ),
  })
}

/** Entries of the navigation, one under the other; `bare` shows their drawings only. */
export function NavEntries({
  entries,
  bare,
  renderLink,
}: {
  entries: NavEntry[]
  bare?: boolean
  renderLink: RenderLink
}) {
  return entries.map((entry) => (
    <div key={entry.key} className="entry">
      {renderLink({
        href: entry.href,
        className: entry.open && !entry.current ? 'is-open' : undefined,
        'aria-current': entry.current ? 'page' : bare && entry.open ? 'true' : undefined,
        'aria-label': bare ? entry.label : undefined,
        title: bare ? entry.label : undefined,
        children: (
          <>
            {entry.icon && <Icon name={entry.icon} />}
            {!bare && <span className="grow">{entry.label}</span>}
            {!bare && Boolean(entry.count) && <span className="count">{entry.count}</span>}
          </>
        ),
      })}
      {!bare && entry.open && entry.entries && entry.entries.length > 0 && (
        <div className="sub">
          <NavEntries entries={entry.entries} renderLink={renderLink} />
        </div>
      )}
    </div>
  ))
}

type SidebarProps = {
  entries: NavEntry[]
  brand: BrandProps
  collapsed: boolean
  onCollapse: (collapsed: boolean) => void
  renderLink?: RenderLink
}

/** The navigation of wide screens: 240 px of icons and words, or 64 px of icons. */
export function Sidebar({ entries, brand, collapsed, onCollapse, renderLink = plainLink }: SidebarProps) {
  const { t } = useLingui()
  const turn = collapsed ? t`Expand menu` : t`Collapse menu`
  return (
    <aside className={collapsed ? 'sidebar rail' : 'sidebar'}>
      <div className="selvedge" />
      <Brand {...brand} renderLink={renderLink} />
      <nav className="nav" aria-label={t`Main navigation`}>
        <NavEntries entries={entries} bare={collapsed} renderLink={renderLink} />
      </nav>
      <div className="sidebar-foot nav">
        <button
          type="button"
          title={collapsed ? turn : undefined}
          aria-label={turn}
          aria-expanded={!collapsed}
          onClick={() => onCollapse(!collapsed)}
        >
          <Icon name="panel" />
          {!collapsed && turn}
        </button>
      </div>
    </aside>
  )
}
