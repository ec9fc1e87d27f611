import type { FromFrame } from '../protocol.ts'

/** Sends a message to the portal. */
export type Send = (message: FromFrame) => void
