import { create } from 'zustand'

type Leaving = {
  /** Dirty forms. */
  forms: ReadonlySet<symbol>
  /** What the person wanted to do when asked whether to leave, and how to stay; null when nothing is asked. */
  asked: { go: () => void; stay?: () => void } | null
}

/** What is typed and not saved, and whether the person is being asked about it. */
export const useLeaving = create<Leaving>(() => ({ forms: new Set(), asked: null }))

/** Counts a form as unsaved until the answer is called. */
export function registerDirty(): () => void {
  const form = Symbol('form')
  useLeaving.setState(({ forms }) => ({ forms: new Set([...forms, form]) }))
  return () =>
    useLeaving.setState(({ forms }) => ({ forms: new Set([...forms].filter((each) => each !== form)) }))
}

/** Whether something here would be lost. */
export const isDirty = (): boolean => useLeaving.getState().forms.size > 0

/** Lets a clean page be left; asks otherwise. */
export function mayLeave(go: () => void): boolean {
  if (!isDirty()) return true
  useLeaving.setState({ asked: { go } })
  return false
}

/** Clears all dirty flags after the person has confirmed to leave. */
export const forgetForms = (): void => useLeaving.setState({ forms: new Set(), asked: null })

/** The browser's own question, for closing the tab. */
export function guardUnload(): void {
  window.addEventListener('beforeunload', (event) => {
    if (isDirty()) event.preventDefault()
  })
}
