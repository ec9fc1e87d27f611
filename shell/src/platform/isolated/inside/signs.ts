import { type Message, messageEvent } from '@portal/ui/notify'
import type { Part } from '../protocol.ts'
import type { Send } from './send.ts'

/** A dialog in a part of a page needs room, however little the part has. */
const roomOfDialog = 520
/** Sizes are told at most so often, in milliseconds. */
const sizesEvery = 100

/** Tells the portal what is seen in this frame, and which keys nothing here has used. */
export function watchSigns(root: HTMLElement, { kind }: Part, send: Send): void {
  if (kind === 'page') watchHeading(root, send)
  else watchSize(root, send)
  watchDialogs(send)
  passKeys(send)
}

/** Shows messages of the module where the portal shows its own. */
export function passMessages(send: Send): void {
  window.addEventListener(messageEvent, (event) => {
    event.preventDefault()
    const { tone, title, detail, reference } = (event as CustomEvent<Message>).detail
    const words = (part: unknown, length: number) =>
      typeof part === 'string' ? part.slice(0, length) : undefined
    send({
      ...{ kind: 'say', tone, title: words(title, 300) ?? '', detail: words(detail, 600) },
      reference: words(reference, 40),
    })
  })
}

/** The heading of the page names the tab. It gets the focus once, when the portal gives the focus to this frame. */
function watchHeading(root: HTMLElement, send: Send) {
  let sent = ''
  let isNew = false
  const heading = () => root.querySelector('h1')
  const read = () => {
    const text = heading()?.textContent?.trim().slice(0, 200) ?? ''
    if (text === sent) return
    isNew = sent !== ''
    sent = text
    send({ kind: 'title', text })
    if (document.hasFocus()) focus()
  }
  const focus = () => {
    const found = heading()
    const isElsewhere = document.activeElement !== document.body && document.activeElement !== null
    if (!found || !isNew || isElsewhere) return
    isNew = false
    found.tabIndex = -1
    found.focus({ preventScroll: true })
  }
  new MutationObserver(read).observe(root, { childList: true, subtree: true, characterData: true })
  window.addEventListener('focus', () => setTimeout(focus))
}

const scrim = () => document.querySelector('.scrim')

function watchSize(root: HTMLElement, send: Send) {
  let sent = -1
  let isComing = false
  /** Menus stand beside the root, and dialogs cover the frame. */
  const needed = () => {
    const floating = [...document.body.children].filter((each) => each !== root && !each.matches('.scrim'))
    const lowest = Math.max(0, ...floating.map((each) => each.getBoundingClientRect().bottom))
    return Math.ceil(Math.max(root.scrollHeight, lowest, scrim() ? roomOfDialog : 0))
  }
  const tell = () => {
    isComing = false
    const height = needed()
    if (height === sent) return
    sent = height
    send({ kind: 'size', height })
  }
  const soon = () => {
    if (isComing) return
    isComing = true
    setTimeout(tell, sizesEvery)
  }
  new ResizeObserver(soon).observe(root)
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true })
  tell()
}

function watchDialogs(send: Send) {
  let sent = false
  new MutationObserver(() => {
    const open = scrim() !== null
    if (open === sent) return
    sent = open
    send({ kind: 'dialog', open })
  }).observe(document.body, { childList: true })
}

const typing = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox]'

function passKeys(send: Send) {
  window.addEventListener('keydown', (event) => {
    const { key, ctrlKey: ctrl, metaKey: meta, altKey, shiftKey, defaultPrevented, target } = event
    if (defaultPrevented || altKey || key.length !== 1 || scrim()) return
    const isSearch = (ctrl || meta) && !shiftKey && key.toLowerCase() === 'k'
    const isPlain = !ctrl && !meta && !(target instanceof Element && target.closest(typing))
    if (!isSearch && !isPlain) return
    const field = key === '/' ? document.querySelector<HTMLElement>('input[type=search]') : null
    if (isSearch || key === '/') event.preventDefault()
    if (field) field.focus()
    else send({ kind: 'key', key, ctrl, meta })
  })
}
