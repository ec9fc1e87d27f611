import { type KeyboardEvent, useEffect, useState } from 'react'
import { goTo, type Results } from './useSearchGroups.ts'

/** Lets arrows move through what was found and Enter open it. The line with place `n` has the id `<id>-<n>`. */
export function useFoundKeys(id: string, { groups, own, waiting, outdated }: Results) {
  const [at, setAt] = useState(0)
  /** Enter was pressed before the results of these words had arrived. */
  const [entered, setEntered] = useState(false)
  const all = groups.flatMap(({ items }) => items)
  const here = Math.min(at, all.length - 1)
  const item = all[here]
  const move = (step: number) => {
    const next = (here + step + all.length) % all.length
    setAt(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const enter = () => {
    if (outdated && !own.some(({ items }) => item && items.includes(item))) {
      setEntered(true)
      setAt(0)
    } else if (item) goTo(item)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && all.length > 0) {
      event.preventDefault()
      move(step)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      enter()
    }
  }
  useEffect(() => {
    if (!entered || waiting) return
    setEntered(false)
    if (item) goTo(item)
  })
  return {
    /** How many lines there are. */
    count: all.length,
    here,
    onKeyDown,
    /** Other words were typed: the first line is chosen. */
    restart() {
      setEntered(false)
      setAt(0)
    },
  }
}
