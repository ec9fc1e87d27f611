import { useLayoutEffect } from 'react'

const scrims = () => [...document.querySelectorAll<HTMLElement>('.scrim')]

/**
 * Shell and modules each bundle the dialog library, and the copies do not know each other: the lower one would take back the
 * focus and handle Escape and clicks meant for the upper one. While a dialog is open those below it are inert.
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

/** Whether a message, a banner or another dialog is above a dialog; its own backdrop does not count. */
export function isAbove(target: EventTarget | null, dialog: Element | null): boolean {
  const plane = (target as Element | null)?.closest('[data-above], .scrim')
  return Boolean(plane) && plane !== dialog?.closest('.scrim')
}
