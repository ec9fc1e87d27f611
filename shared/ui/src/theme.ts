import { readStored, writeStored } from './stored.ts'

/** Light, dark, or what the device prefers. */
export type Theme = 'light' | 'dark' | 'system'

const key = 'portal.theme'

/** The theme the person chose on this device. */
export function storedTheme(): Theme {
  const stored = readStored(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Shows a theme: `data-theme` on `<html>`, absent for the device's own. */
export function applyTheme(theme: Theme = storedTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Chooses a theme and remembers it on this device. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  writeStored(key, theme === 'system' ? null : theme)
}
