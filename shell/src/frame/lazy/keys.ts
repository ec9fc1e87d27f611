import type { NavEntry } from '@portal/ui/Sidebar'

const key = 'portal.keys'

/** Whether single keys do anything: they can be switched off (WCAG 2.1.4). */
export const keysOn = (): boolean => localStorage.getItem(key) !== 'off'

export const switchKeys = (on: boolean): void => localStorage.setItem(key, on ? 'on' : 'off')

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
