import { Trans, useLingui } from '@lingui/react/macro'
import { initials } from '@portal/i18n/initials'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { IconButton } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { plainLink, type RenderLink } from './link.tsx'
import { Brand, type BrandProps } from './Sidebar.tsx'

/** One step of the way to this page; the last has no link. */
export type Crumb = { label: ReactNode; href?: string }

/** The way to this page. */
export function Crumbs({ crumbs, renderLink = plainLink }: { crumbs: Crumb[]; renderLink?: RenderLink }) {
  const { t } = useLingui()
  return (
    <nav className="crumbs" aria-label={t`Breadcrumb`}>
      {crumbs.map((crumb, place) => (
        <CrumbStep
          key={crumb.href ?? 'here'}
          crumb={crumb}
          first={place === 0}
          last={place === crumbs.length - 1}
          renderLink={renderLink}
        />
      ))}
    </nav>
  )
}

type StepProps = { crumb: Crumb; first: boolean; last: boolean; renderLink: RenderLink }

function CrumbStep({ crumb, first, last, renderLink }: StepProps) {
  return (
    <>
      {!first && <Icon name="right" size={14} />}
      {crumb.href && !last ? (
        renderLink({ href: crumb.href, children: crumb.label })
      ) : (
        <span aria-current={last ? 'page' : undefined}>{crumb.label}</span>
      )}
    </>
  )
}

/** The bar above every page: way, search, messages, language, person; it takes them as children in order. */
export function TopBar({
  onMenu,
  brand,
  renderLink,
  children,
}: {
  onMenu: () => void
  brand: BrandProps
  renderLink?: RenderLink
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <header className="topbar">
      <IconButton icon="menu" label={t`Menu`} className="only-phone" onClick={onMenu} />
      <Brand {...brand} renderLink={renderLink} phone />
      {children}
    </header>
  )
}

/** The field-like button that opens search; a drawing on narrow windows. */
export function SearchButton({ onOpen, keys }: { onOpen: () => void; keys: string }) {
  const { t } = useLingui()
  const label = t`Search or go to…`
  return (
    <>
      <button type="button" className="palette" onClick={onOpen} title={label}>
        <span>
          <Icon name="search" size={16} />
          {label}
        </span>
        <kbd>{keys}</kbd>
      </button>
      <IconButton icon="search" label={label} className="only-phone" onClick={onOpen} />
    </>
  )
}

/** What the portal has to tell, with the number that is unread. */
export function BellButton({
  unread,
  ...rest
}: { unread: number } & ButtonHTMLAttributes<HTMLButtonElement>) {
  const { t } = useLingui()
  const label = unread > 0 ? t`Notifications, unread: ${unread}` : t`Notifications`
  return (
    <button
      type="button"
      {...rest}
      className="icon-button"
      title={label}
      aria-label={label}
      aria-haspopup="dialog"
    >
      <Icon name="bell" />
      {unread > 0 && <span className="badge">{unread > 99 ? '99+' : unread}</span>}
    </button>
  )
}

/** EN and FR side by side. */
export function LanguageSwitch({
  value,
  onChange,
}: {
  value: 'en' | 'fr'
  onChange: (locale: 'en' | 'fr') => void
}) {
  const { t } = useLingui()
  return (
    <fieldset className="lang" aria-label={t`Language`}>
      <button
        type="button"
        lang="en"
        title="English"
        aria-pressed={value === 'en'}
        onClick={() => onChange('en')}
      >
        EN
      </button>
      <button
        type="button"
        lang="fr"
        title="Français"
        aria-pressed={value === 'fr'}
        onClick={() => onChange('fr')}
      >
        FR
      </button>
    </fieldset>
  )
}

/** Initials of a person in a circle. */
export const Avatar = ({ name }: { name: string }) => (
  <span className="avatar" aria-hidden="true">
    {initials(name)}
  </span>
)

type PersonProps = { name: string; role?: string; ref?: Ref<HTMLButtonElement> }

/** The signed-in person, as the trigger of their menu. */
export function PersonButton({
  name,
  role,
  ref,
  ...rest
}: PersonProps & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      ref={ref}
      {...rest}
      className="person"
      aria-label={role ? `${name}, ${role}` : name}
    >
      <Avatar name={name} />
      <span>
        {name}
        {role && <small>{role}</small>}
      </span>
    </button>
  )
}

/** The first stop of the keyboard: past the navigation, to the page. */
export const SkipLink = () => (
  <a className="skip-link" href="#page">
    <Trans>Skip to the page</Trans>
  </a>
)
