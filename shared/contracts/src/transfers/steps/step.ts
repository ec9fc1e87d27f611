import type { Permission } from '../../permissions.ts'
import type { Text } from '../../text.ts'

/**
 * A state that does not end by itself: why it is so, whose turn it is, what people with that permission do on the page,
 * and whom everybody else asks.
 */
export type StateStep = { why: Text; by: Permission; can: Text; ask: Text }

/** The states of one thing. null: it goes on by itself or has ended well. */
export type StateSteps = Record<string, StateStep | null>
