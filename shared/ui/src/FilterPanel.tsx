import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import { Count } from './Money.tsx'

type Props = {
  /** How many of the filters are set. */
  on: number
  /** The button, for whoever has to return the focus to it. */
  button: RefObject<HTMLButtonElement | null>
  /** The filters, each with its label above. */
  children: ReactNode
}

/** Filters that are too many for a line: one button, and under it a panel of all of them. */
export function FilterPanel({ on, button, children }: Props) {
  const { t } = useLingui()
  const id = useId()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const close = useCallback(() => {
    setOpen(false)
    button.current?.focus()
  }, [button])
  useEffect(() => {
    if (!open) return
    panel.current?.querySelector<HTMLElement>('select, input')?.focus()
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const keys = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close()
    }
    const end = new AbortController()
    const until = { signal: end.signal }
    document.addEventListener('pointerdown', leave, until)
    document.addEventListener('focusin', leave, until)
    document.addEventListener('keydown', keys, until)
    return () => end.abort()
  }, [open, close])
  return (
    <div ref={box} className="filter-panel">
      <Button
        ref={button}
        icon="filter"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Trans>Filters</Trans>{' '}
        {on > 0 && (
          <b className="on">
            <Count value={on} />
          </b>
        )}
      </Button>
      {open && (
        <div ref={panel} id={id} role="dialog" aria-label={t`Filters`} className="panel">
          {children}
          <Button onClick={close}>
            <Trans>Close</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}

/** Filters that a phone hides behind a button with their count, because they would push the list down. */
export function FilterFold({ on, children }: { on: number; children: ReactNode }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        icon="filter"
        className="fold-button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Trans>Filters</Trans>{' '}
        {on > 0 && (
          <b>
            <Count value={on} />
          </b>
        )}
      </Button>
      <div id={id} className={open ? 'fold is-open' : 'fold'}>
        {children}
      </div>
    </>
  )
}
