import { create } from 'zustand'

/** What of the frame lies over the page. */
export type Opened = 'search' | 'notifications' | 'keys' | null

/** What the top bar shows of pieces that come late. */
export const useFrame = create<{ opened: Opened; unread: number }>(() => ({ opened: null, unread: 0 }))

export const open = (opened: Opened) => useFrame.setState({ opened })
