import { create } from 'zustand'

/** The part of the frame that lies over the page, if one is open. */
export type Opened = 'search' | 'notifications' | 'keys' | null

/** The state that the lazy components share with the top bar. */
export const useFrame = create<{ opened: Opened; unread: number }>(() => ({ opened: null, unread: 0 }))

export const open = (opened: Opened) => useFrame.setState({ opened })
