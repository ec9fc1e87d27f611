import { useLayoutEffect } from 'react'

const scrims = () => [...document.querySelectorAll<HTMLElement>('.scrim')]

/**
 * Shell and modules each bundle the dialog library, and its copies do not know of each other: the one below would pull
 * the focus back, and take Escape and clicks above it for its own. While a dialog is open those below it are inert.
 */
export function useInertBelow(): void {
  useLayoutEffect(() => {
    const below = scrims().filter((each) => !each.inert)
    const set = (inert: boolean) => {
      for (const each of below) each.inert = inert
    }
    set(true)
    return () => set(false)
  }, [])
}

/** Whether a dialog lies under another one. */
export const isBelow = (dialog: Element | null): boolean =>
  dialog?.closest<HTMLElement>('.scrim')?.inert ?? false

/** Whether something lies above a dialog: a message, or another dialog; its own shade does not. */
export function isAbove(target: EventTarget | null, dialog: Element | null): boolean {
  const plane = (target as Element | null)?.closest('[data-toaster], .scrim')
  return Boolean(plane) && plane !== dialog?.closest('.scrim')
}
