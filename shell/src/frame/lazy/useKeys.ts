import type { NavEntry } from '@portal/ui/Sidebar'
import { useEffect, useRef } from 'react'
import { navigate } from '../../platform/tab-router.ts'
import { open } from '../opened.ts'
import { goals, keysOn } from './keys.ts'

/** How long after `g` its letter may come. */
const secondKeyMs = 1500

const typing = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox]'
const over = '.scrim, dialog[open]'

/** Single-key shortcuts. They do nothing while a field has the focus or a dialog is open. */
export function useKeys(entries: NavEntry[]): void {
  const latest = useRef(entries)
  latest.current = entries
  useEffect(() => {
    let began = 0
    const press = (event: KeyboardEvent) => {
      const { key, target } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keysOn()) return
      if ((target instanceof Element && target.closest(typing)) || document.querySelector(over)) return
      const act = event.timeStamp - began < secondKeyMs ? goTo(latest.current, key) : actOf(key)
      began = !act && key === 'g' ? event.timeStamp : 0
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

function goTo(entries: NavEntry[], letter: string) {
  if (letter === 'n') return () => open('notifications')
  const goal = goals(entries).find((each) => each.letter === letter)
  return goal && (() => navigate(goal.href))
}

function actOf(key: string) {
  if (key === '?') return () => open('keys')
  if (key !== '/') return undefined
  const field = document.querySelector<HTMLElement>('#page input[type=search]')
  return field ? () => field.focus() : () => open('search')
}
