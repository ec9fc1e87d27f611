import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { type LinkProps, plainLink, type RenderLink } from './link.tsx'

/** One `primary` per page or dialog; `danger` for deleting, `danger-fill` to confirm it; `plain` beside others. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'danger-fill' | 'plain'

type Look = { variant?: ButtonVariant; small?: boolean; icon?: IconName; children: ReactNode }

const classes = ({ variant = 'secondary', small }: Look, added = '') =>
  ['button', variant === 'secondary' ? '' : variant, small ? 'small-button' : '', added]
    .filter(Boolean)
    .join(' ')

type ButtonProps = Look &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    busy?: boolean
    /** Its act removes it: the card, dialog or page around it takes the focus, which the browser would drop. */
    vanishes?: boolean
    ref?: Ref<HTMLButtonElement>
  }

/** A button; while `busy` it shows a spinner, keeps its focus and does nothing. */
export function Button(props: ButtonProps) {
  const { variant, small, icon, busy, vanishes, children, className, onClick, ...rest } = props
  const shown = busy ? 'spin' : icon
  const act = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) return event.preventDefault()
    if (vanishes) event.currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={classes({ variant, small, children }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={act}
    >
      {shown && <Icon name={shown} size={busy || small ? 16 : 18} />}
      {children}
    </button>
  )
}

/** A link that looks like a button, for going somewhere. */
export function ButtonLink({
  renderLink = plainLink,
  variant,
  small,
  icon,
  children,
  className,
  ...link
}: Look & LinkProps & { renderLink?: RenderLink }) {
  return renderLink({
    ...link,
    className: classes({ variant, small, children }, className),
    children: (
      <>
        {icon && <Icon name={icon} size={small ? 16 : 18} />}
        {children}
      </>
    ),
  })
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  icon: IconName
  label: string
  dot?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** A button with a drawing only; its label is read out and shown on hover. */
export function IconButton({ icon, label, dot, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={`icon-button ${className}`.trim()}
    >
      <Icon name={icon} />
      {dot && <span className="dot" />}
    </button>
  )
}
