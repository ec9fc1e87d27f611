import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react'

/** One of what is offered: its words, and what tells it from others of the same name. */
export type Choice = { id: string | number; label: string; note?: string | null }

type Props<One extends Choice> = {
  /** What stands in the box while nobody types: the words of what is chosen. */
  chosen: string
  /** Called debounced with what is typed, '' for the first ones of all, and with null once the list is closed. */
  onAsk: (text: string | null) => void
  /** What answers the text that was asked last. */
  choices: readonly One[]
  /** They are still those of a text before: the keys wait. */
  busy?: boolean
  onChoose: (one: One) => void
  /** The text was deleted: nothing is chosen any more. */
  onEmpty: () => void
  /** What the list is called, for readers. */
  found: string
  /** A sentence under the list, and in its place while there is none. */
  status?: ReactNode
  /** The attributes of the input, from its form and its frame. */
  input: Pick<
    ComponentProps<'input'>,
    | 'id'
    | 'name'
    | 'ref'
    | 'disabled'
    | 'placeholder'
    | `aria-${'label' | 'describedby' | 'invalid' | 'required'}`
  > & { onBlur?: () => void }
}

/** A pause in typing after which is searched, in ms. */
const pauseMs = 200

/**
 * A box in which one writes words of what one looks for, and chooses it in the list below, by keys or by pointing. The list is our
 * own: a browser's offers only what contains the very letters that were typed.
 */
export function Combobox<One extends Choice>(props: Props<One>) {
  const { chosen, onAsk, choices, busy = false, onChoose, onEmpty, found, status, input } = props
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const [asked, setAsked] = useState<string | null>(null)
  const text = open ? (typed ?? '').trim() : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each text, whoever is asked
  useEffect(() => {
    const ask = () => {
      setAsked(text)
      onAsk(text)
    }
    if (!text) return ask()
    const timer = setTimeout(ask, pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  // Until then the choices are those of another text.
  const waits = busy || asked !== text
  const offered = open ? choices : []
  const here = Math.min(at, offered.length - 1)
  const close = () => {
    setOpen(false)
    // Text that is nothing of the list is discarded, and what is chosen is shown again.
    setTyped(null)
    setAt(0)
  }
  const choose = (one: One) => {
    close()
    onChoose(one)
  }
  const goTo = (next: number) => {
    setAt(next)
    // The box keeps the focus, so the browser does not scroll to the choice.
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.nativeEvent.isComposing || !(step || (open && ['Enter', 'Escape'].includes(event.key)))) return
    event.preventDefault()
    if (event.key === 'Escape') close()
    else if (!open) setOpen(true)
    else if (step && offered.length > 0) goTo((here + step + offered.length) % offered.length)
    else if (event.key === 'Enter' && !waits && offered[here]) choose(offered[here])
  }
  return (
    <div className="choices-box">
      <input
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        {...input}
        className="input"
        data-open={open || undefined}
        aria-expanded={offered.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={offered.length > 0 ? `${id}-${here}` : undefined}
        value={typed ?? chosen}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
          setOpen(true)
          if (target.value.trim() === '') onEmpty()
        }}
        onKeyDown={keys}
        onFocus={(event: FocusEvent<HTMLInputElement>) => event.target.select()}
        onBlur={() => {
          input.onBlur?.()
          close()
        }}
      />
      <div className="choices-list">
        {offered.length > 0 && (
          <div id={`${id}-list`} role="listbox" aria-label={found} aria-busy={waits} className="choices">
            {offered.map((one, n) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys are the box's, which has the focus
              <div
                key={one.id}
                id={`${id}-${n}`}
                role="option"
                aria-selected={n === here}
                // The box keeps the focus, or its blur would close the list before the click.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(one)}
              >
                {one.label}
                {one.note && <small>{one.note}</small>}
              </div>
            ))}
          </div>
        )}
        <div className="choices-status" aria-live="polite">
          {open && status}
        </div>
      </div>
    </div>
  )
}
