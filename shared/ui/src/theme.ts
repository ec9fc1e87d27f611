/** Light, dark, or what the device prefers. */
export type Theme = 'light' | 'dark' | 'system'

const key = 'portal.theme'

/** The theme the person chose on this device. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system' // storage can be forbidden; the theme then lives as long as the page
  }
}

/** Shows a theme: `data-theme` on `<html>`, absent for the device's own. */
export function applyTheme(theme: Theme = storedTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Chooses a theme and remembers it on this device. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // Only the stored choice is lost.
  }
}
