import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react'

/** A choice: its words, and a note that distinguishes it from others of the same name. */
export type Choice = { id: string | number; label: string; note?: string | null }

type Props<One extends Choice> = {
  /** The words of the present choice, which the box shows while nobody types. */
  chosen: string
  /** Called debounced with what is typed, '' for the first ones of all, and with null once the list is closed. */
  onAsk: (text: string | null) => void
  /** The choices for the latest text of `onAsk`. */
  choices: readonly One[]
  /** The choices are still those of an earlier text, so that keys choose none of them. */
  busy?: boolean
  onChoose: (one: One) => void
  /** Called when the text was deleted, so that nothing is chosen. */
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

/** The debounce of the search, in ms. */
const pauseMs = 200

/**
 * A text box with a list of choices that match the typed words. Choices are made by keys or by pointing. It does not use the
 * browser's own list, which offers only choices that contain the very letters that were typed.
 */
export function Combobox<One extends Choice>(props: Props<One>) {
  const { chosen, found, status, input } = props
  const id = useId()
  const { typed, open, offered, here, waits, type, choose, close, keys } = useChoices(id, props)
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
        onChange={({ target }) => type(target.value)}
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
              <Option
                key={one.id}
                id={`${id}-${n}`}
                choice={one}
                isHere={n === here}
                onChoose={() => choose(one)}
              />
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

/** What is typed, which choices are offered for it, and which of them the keys are on. Choice `n` has the id `<id>-<n>`. */
function useChoices<One extends Choice>(id: string, props: Props<One>) {
  const { onAsk, choices, busy = false, onChoose, onEmpty } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const text = open ? (typed ?? '').trim() : null
  const asked = useAsked(text, onAsk)
  // Until the call is answered, the choices are those of another text.
  const waits = busy || asked !== text
  const offered = open ? choices : []
  const here = Math.min(at, offered.length - 1)
  const close = () => {
    setOpen(false)
    // Text that was not chosen from the list is discarded, and the present choice is shown again.
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
  const type = (value: string) => {
    setTyped(value)
    setAt(0)
    setOpen(true)
    if (value.trim() === '') onEmpty()
  }
  return { typed, open, offered, here, waits, type, choose, close, keys }
}

/** Asks for a text after a pause in typing, and at once when there is none. Returns the text that was asked for last. */
function useAsked(text: string | null, onAsk: (text: string | null) => void): string | null {
  const [asked, setAsked] = useState<string | null>(null)
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
  return asked
}

type OptionProps = { id: string; choice: Choice; isHere: boolean; onChoose: () => void }

function Option({ id, choice, isHere, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys are the box's, which has the focus
    <div
      id={id}
      role="option"
      aria-selected={isHere}
      // The box keeps the focus, or its blur would close the list before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {choice.label}
      {choice.note && <small>{choice.note}</small>}
    </div>
  )
}
