import { useState } from 'react'

type Height = 'normal' | 'compact'
const key = 'portal.rows'

/** Normal or compact rows, remembered on this device. */
export function useRowHeight(): [Height, (height: Height) => void] {
  const [height, setHeight] = useState<Height>(stored)
  return [
    height,
    (next) => {
      setHeight(next)
      try {
        localStorage.setItem(key, next)
      } catch {
        // Storage can be forbidden: it then lasts as long as the page.
      }
    },
  ]
}

function stored(): Height {
  try {
    return localStorage.getItem(key) === 'compact' ? 'compact' : 'normal'
  } catch {
    return 'normal'
  }
}
