import { create } from 'zustand'

/** What of the frame lies over the page. */
export type Opened = 'search' | 'notifications' | 'keys' | null

/** What the lazy components tell the top bar. */
export const useFrame = create<{ opened: Opened; unread: number }>(() => ({ opened: null, unread: 0 }))

export const open = (opened: Opened) => useFrame.setState({ opened })
