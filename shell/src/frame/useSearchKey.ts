import { useLayoutEffect } from 'react'
import { open } from './opened.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** How the key is written here. */
export const searchKey = isApple ? '⌘ K' : 'Ctrl K'

/** Ctrl or ⌘ with K opens the search from anywhere but a dialog, also before the rest of the keys has come. */
export function useSearchKey(): void {
  // Registered before the first paint, because the key may be pressed as soon as the page is visible.
  useLayoutEffect(() => {
    const look = (event: KeyboardEvent) => {
      const meant = (isApple ? event.metaKey : event.ctrlKey) && event.key.toLowerCase() === 'k'
      if (!meant || event.altKey || event.shiftKey || document.querySelector('.scrim')) return
      event.preventDefault()
      open('search')
    }
    window.addEventListener('keydown', look)
    return () => window.removeEventListener('keydown', look)
  }, [])
}
