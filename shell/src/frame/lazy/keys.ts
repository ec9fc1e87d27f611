import type { NavEntry } from '@portal/ui/Sidebar'
import { readStored, writeStored } from '@portal/ui/stored'

const key = 'portal.keys'
/** Counts where storage is forbidden. */
let chosen = 'on'

/** Whether single keys do anything: they can be switched off (WCAG 2.1.4). */
export const keysOn = (): boolean => (readStored(key) ?? chosen) !== 'off'

export function switchKeys(on: boolean): void {
  chosen = on ? 'on' : 'off'
  writeStored(key, chosen)
}

/** The letter after `g` for a section, by its drawing: it is the same in both languages. */
const letters: Record<string, string> = {
  home: 'h',
  transfers: 't',
  folder: 'c',
  school: 's',
  pin: 'l',
  users: 'u',
  grid: 'm',
  good: 'p',
}

/** Where `g` and a letter lead: the sections this person has. */
export function goals(entries: NavEntry[]): { letter: string; label: string; href: string }[] {
  return entries.flatMap(({ icon = '', label, href }) => {
    const letter = letters[icon]
    return letter ? [{ letter, label, href }] : []
  })
}
