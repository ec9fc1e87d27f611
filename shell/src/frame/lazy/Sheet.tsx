import { usePhone } from '@portal/ui/usePhone'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'

type Props = {
  /** What it is, for readers. */
  label: string
  /** `find` above the middle, over the page; `side` at the right, beside it. On phones both are the whole screen. */
  place: 'find' | 'side'
  onClose: () => void
  children: ReactNode
}

/** The browser's own dialog element: it handles focus, Escape and the page below, without a library. */
export function Sheet({ label, place, onClose, children }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  const [opener] = useState(() => document.activeElement)
  const phone = usePhone()
  const modal = phone || place === 'find'
  useEffect(() => {
    const dialog = box.current
    if (modal) dialog?.showModal()
    else dialog?.show()
    return () => dialog?.close()
  }, [modal])
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus()
    },
    [opener],
  )
  useOutside(box, modal, onClose)
  return (
    <dialog
      ref={box}
      className={`sheet ${place}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape' || modal) return
        event.stopPropagation()
        onClose()
      }}
      // A click on a modal dialog outside of its content is a click on the backdrop.
      onClick={(event: MouseEvent) => event.target === box.current && modal && onClose()}
    >
      {/* At the side it takes the focus of a button in it that disappears. Elsewhere the browser gives the first focus to the first field. */}
      <div className="sheet-body" tabIndex={place === 'side' ? -1 : undefined}>
        {children}
      </div>
    </dialog>
  )
}

function useOutside(box: RefObject<HTMLElement | null>, modal: boolean, onClose: () => void) {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (modal) return
    const leave = (event: Event) => {
      const target = event.target as Element
      // A press on the button that opened it closes it through that button.
      if (!box.current?.contains(target) && !target.closest('[aria-haspopup=dialog]')) close.current()
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [box, modal])
}
