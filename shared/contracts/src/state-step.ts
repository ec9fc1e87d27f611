import type { Permission } from './permissions.ts'
import type { Text } from './text.ts'

/**
 * A state that does not end by itself: why it is so, whose turn it is, what people with that permission do on the page,
 * and whom everybody else asks.
 */
export type StateStep = { why: Text; by: Permission; can: Text; ask: Text }
