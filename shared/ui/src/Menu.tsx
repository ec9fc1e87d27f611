import { Trans } from '@lingui/react/macro'
import {
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Icon, type IconName } from './Icon.tsx'
import { follow } from './link.tsx'

/** One act of a menu. With `href` it is a link, and `onSelect` then follows it inside the page. */
export type MenuItem = {
  label: ReactNode
  onSelect?: () => void
  href?: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** One of several of which one holds. */
  checked?: boolean
  /** A line above: what follows is of another kind. */
  apart?: boolean
}

/** The props that a trigger must accept; every button of this package does. */
type TriggerProps = {
  ref?: Ref<HTMLButtonElement>
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}

type MenuProps = {
  trigger: ReactElement<TriggerProps>
  items: MenuItem[]
  head?: ReactNode
  align?: 'start' | 'end'
}

/**
 * A menu that opens under its trigger, with arrow keys, first letters and Escape. Written by hand, because the library's menu
 * with its positioning would be a fifth of a module's page.
 */
export function Menu({ trigger, items, head, align = 'end' }: MenuProps) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const close = (back: boolean) => {
    setOpen(false)
    if (back) anchor.current?.focus()
  }
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: () => setOpen(!open),
      })}
      {open && <MenuPopup anchor={anchor} items={items} head={head} align={align} onClose={close} />}
    </>
  )
}

type PopupProps = Pick<MenuProps, 'items' | 'head' | 'align'> & {
  anchor: RefObject<HTMLButtonElement | null>
  /** `back` returns the focus to the trigger. */
  onClose: (back: boolean) => void
}

/** An open menu, for a trigger that keeps its own state. */
export function MenuPopup({ anchor, items, head, align = 'end', onClose }: PopupProps) {
  const box = useRef<HTMLDivElement>(null)
  usePlace(anchor, box, align)
  useOutside(anchor, box, () => onClose(false))
  useEffect(() => linesOf(box.current)[0]?.focus(), [])
  // Inside a dialog the rest of the page takes no clicks.
  const host = anchor.current?.closest('[role="dialog"]') ?? document.body
  const act = (item: MenuItem) => {
    onClose(true)
    item.onSelect?.()
  }
  return createPortal(
    <div className="menu" role="menu" ref={box} tabIndex={-1} onKeyDown={(event) => move(event, onClose)}>
      {head && <p>{head}</p>}
      {items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items are a fixed list of one opening
        <Entry key={place} item={item} onAct={() => act(item)} />
      ))}
      {items.length === 0 && (
        <p>
          <Trans>Nothing to do here</Trans>
        </p>
      )}
    </div>,
    host,
  )
}

function Entry({ item, onAct }: { item: MenuItem; onAct: () => void }) {
  const { label, href, icon, danger, disabled, checked, apart } = item
  const worn = {
    className: danger ? 'bad' : undefined,
    tabIndex: -1,
    ...(checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': checked }),
  }
  const inner = (
    <>
      {icon && <Icon name={icon} />}
      <span className="grow">{label}</span>
      {checked && <Icon name="check" size={16} />}
    </>
  )
  return (
    <>
      {apart && <hr />}
      {href ? (
        <a href={href} onClick={follow(onAct)} {...worn}>
          {inner}
        </a>
      ) : (
        <button type="button" onClick={onAct} disabled={disabled} {...worn}>
          {inner}
        </button>
      )}
    </>
  )
}

const linesOf = (box: HTMLElement | null) => [
  ...(box?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)') ?? []),
]

/** Arrows, Home, End and first letters go through the lines; Escape and Tab leave. */
function move(event: KeyboardEvent<HTMLElement>, onClose: (back: boolean) => void) {
  const lines = linesOf(event.currentTarget)
  const at = lines.indexOf(document.activeElement as HTMLElement)
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
  const step = steps[event.key]
  if (event.key === 'Escape' || event.key === 'Tab') {
    if (event.key === 'Escape') event.preventDefault()
    event.stopPropagation()
    onClose(true)
  } else if (step !== undefined) {
    event.preventDefault()
    lines.at(step % lines.length)?.focus()
  } else if (event.key.length === 1 && event.key !== ' ') {
    const letter = event.key.toLocaleLowerCase()
    const after = [...lines.slice(at + 1), ...lines.slice(0, at + 1)]
    after.find((line) => line.textContent?.trim().toLocaleLowerCase().startsWith(letter))?.focus()
  }
}

const gap = 4
const margin = 8

/** Under the trigger and within the window; above it where there is no room below. */
function usePlace(
  anchor: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
  align: 'start' | 'end',
) {
  useLayoutEffect(() => {
    const under = anchor.current?.getBoundingClientRect()
    const menu = box.current
    if (!under || !menu) return
    const { offsetWidth: width, offsetHeight: height } = menu
    const wished = align === 'end' ? under.right - width : under.left
    const below = under.bottom + gap
    const above = under.top - gap - height
    const fits = below + height <= window.innerHeight - margin || above < margin
    menu.style.left = `${Math.max(margin, Math.min(wished, window.innerWidth - width - margin))}px`
    menu.style.top = `${fits ? below : above}px`
  }, [anchor, box, align])
}

/** A press elsewhere, a scrolled page and another window size close the menu. */
function useOutside(
  anchor: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
  onOutside: () => void,
) {
  const outside = useRef(onOutside)
  outside.current = onOutside
  useEffect(() => {
    const leave = (event: Event) => {
      const target = event.target as Node
      if (!box.current?.contains(target) && !anchor.current?.contains(target)) outside.current()
    }
    const gone = () => outside.current()
    const place = anchor.current?.getBoundingClientRect()
    // A scroll event may arrive after the press although the scroll ended before it, so the menu closes only if its trigger has moved.
    const scrolled = (event: Event) => {
      const now = anchor.current?.getBoundingClientRect()
      if (!place || !now || Math.abs(now.top - place.top) + Math.abs(now.left - place.left) > 2) leave(event)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('scroll', scrolled, true)
    window.addEventListener('resize', gone)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('scroll', scrolled, true)
      window.removeEventListener('resize', gone)
    }
  }, [anchor, box])
}
